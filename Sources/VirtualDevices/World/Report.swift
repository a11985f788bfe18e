public import Bluetooth

/// One line about the simulated devices, for the simulator's output.
public struct Report: Hashable, Sendable {
    /// The device's scenario name; nil where no device is concerned.
    public var device: String?
    /// The host whose link or write it is, where several hosts are around the devices.
    public var host: String?
    /// When, on the clock of the one who drives the ``World``.
    public var time: Duration
    /// What happened.
    public var event: Event

    /// What can be reported.
    public enum Event: Hashable, Sendable {
        /// A client wrote to the device.
        case write(CharacteristicID, [UInt8])
        /// The device did something that a person would feel or see.
        case device(DeviceReport)
        /// A link came or went.
        case link(Bool)
        /// Senseless notifications have come to their end: how many every notifying characteristic was to send, and
        /// how many of them a client that had subscribed was sent.
        case garbage(wanted: Int, sent: [CharacteristicID: Int])
        /// A live line was not understood; says what would be.
        case error(String)
    }

    /// Makes a report.
    public init(device: String?, host: String? = nil, time: Duration, event: Event) {
        self.device = device
        self.host = host
        self.time = time
        self.event = event
    }
}
