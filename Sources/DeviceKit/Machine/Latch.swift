/// What is known of a device's emergency stop.
public enum Latch: String, Hashable, Sendable, CaseIterable {
    /// No emergency stop is set.
    case clear
    /// An emergency stop is set.
    case latched
    /// Nothing is known. The device may be used, but gets no power without a person's command.
    case unconfirmed
}

/// How a family's devices keep an emergency stop over restarts.
public struct Latching: Hashable, Sendable {
    /// The state, an object, that reports the emergency stop. Its retained message is given to the machine as
    /// ``Input/recalled(feature:_:)`` when the bridge takes up a device.
    public var report: String
    /// The key of the device's memory that held a truth value before there were latches.
    public var memoryKey: String

    /// Declares it.
    public init(report: String, memoryKey: String) {
        self.report = report
        self.memoryKey = memoryKey
    }
}
