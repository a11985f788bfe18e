public import Bluetooth

/// A report about the simulated devices, for the simulator's output.
public struct Report: Hashable, Sendable {
    /// The device's scenario name; nil if the report concerns no device.
    public var device: String?
    /// The host that the connection or the write concerns, if there are several hosts.
    public var host: String?
    /// When the event happened, on the clock of the ``World``.
    public var time: Duration
    /// What happened.
    public var event: Event

    /// What can happen to a device or a host.
    public enum Event: Hashable, Sendable {
        /// A client wrote to the device.
        case write(CharacteristicID, [UInt8])
        /// The device had an effect that users can feel or see.
        case device(DeviceReport)
        /// A connection was established (`true`) or ended (`false`).
        case link(Bool)
        /// A burst test with random notifications ended: the number of requested notifications for each characteristic,
        /// and the numbers that were sent to subscribed clients.
        case garbage(wanted: Int, sent: [CharacteristicID: Int])
        /// A live line was invalid. The text describes the allowed lines.
        case error(String)
    }

    /// Creates a report.
    public init(device: String?, host: String? = nil, time: Duration, event: Event) {
        self.device = device
        self.host = host
        self.time = time
        self.event = event
    }
}
