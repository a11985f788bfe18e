/// The work that is done at the end of a turn of the event loop, once for all devices that changed in it.
package struct EndOfTurn: Sendable {
    private var isScheduled = false
    private var detectsStalls = false

    package init() {}

    /// Requests the end-of-turn work.
    ///
    /// - Returns: Whether to schedule the work; false if it is scheduled already.
    package mutating func schedule() -> Bool {
        defer { isScheduled = true }
        return !isScheduled
    }

    /// Records that the end-of-turn work starts.
    package mutating func begin() { isScheduled = false }

    /// Sets whether stalls are detected.
    ///
    /// - Returns: Whether the setting changed, so that the caller must pass it to the clock.
    package mutating func detectStalls(_ isWanted: Bool) -> Bool {
        defer { detectsStalls = isWanted }
        return detectsStalls != isWanted
    }
}
