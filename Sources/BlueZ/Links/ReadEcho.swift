/// Distinguishes notifications from the echo of a read, which is BlueZ's signal with the value that was read.
///
/// BlueZ signals a changed `Value` for a notification, and also for each read, just before it answers the read. While a
/// read of a subscribed characteristic is in flight, the newest value is kept until another value or the answer
/// arrives. If the answer contains the same bytes, the kept value was the echo of the read.
package struct ReadEcho: Hashable, Sendable {
    private var reads = 0
    private var held: [UInt8]?

    package init() {}

    package mutating func readStarted() { reads += 1 }

    /// Handles a signaled value; returns the value to deliver now, nil for none.
    package mutating func signalled(_ value: [UInt8]) -> [UInt8]? {
        guard reads > 0 else { return value }
        defer { held = value }
        return held
    }

    /// Handles the end of a read, whose `value` is nil if it failed; returns the value to deliver, nil for none.
    package mutating func readEnded(_ value: [UInt8]?) -> [UInt8]? {
        reads -= 1
        guard let held else { return nil }
        if let value, held == value {
            self.held = nil
            return nil
        }
        guard reads == 0 else { return nil }
        self.held = nil
        return held
    }

    /// Treats all pending reads as failed; returns the value to deliver, if one was kept.
    package mutating func abandoned() -> [UInt8]? {
        defer { (reads, held) = (0, nil) }
        return held
    }
}
