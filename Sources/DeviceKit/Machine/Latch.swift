/// The state of a device's emergency stop.
public enum Latch: String, Hashable, Sendable, CaseIterable {
    /// No emergency stop is set.
    case clear
    /// An emergency stop is set.
    case latched
    /// It is unknown whether an emergency stop is set. The device stays without power until the user sends a command
    /// that switches the power on.
    case unconfirmed
}

/// How the devices of a family keep an emergency stop over restarts.
public struct Latching: Hashable, Sendable {
    /// The feature whose report, an object, contains the emergency stop. When the bridge starts to manage a device, the
    /// state machine receives the retained message of this report as ``Input/recalled(feature:_:)``.
    public var report: String
    /// The key in the device's memory under which older versions of the bridge stored, as a Boolean, whether the
    /// emergency stop is set.
    public var memoryKey: String

    /// Declares how the emergency stop is kept.
    public init(report: String, memoryKey: String) {
        self.report = report
        self.memoryKey = memoryKey
    }
}
