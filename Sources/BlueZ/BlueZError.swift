/// Says what failed with Bluetooth: which kind of failure, while doing what, and with whose words.
public struct BlueZError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of failure that a caller treats differently.
    public enum Code: String, Hashable, Sendable {
        /// bluetoothd does not run, or the bus is away.
        case serviceAway
        /// There is no adapter, or none that may be used.
        case noAdapter
        /// The adapter is switched off.
        case adapterOff
        /// The bus does not let this program talk to bluetoothd.
        case accessDenied
        /// The device (or its object) is not known.
        case unknownDevice
        /// The device did not answer: out of reach or switched off.
        case unreachable
        /// The device ended the connection while it was being made.
        case refused
        /// Something else is being done with the device.
        case inProgress
        /// The adapter bears no more links.
        case connectionLimit
        case alreadyDone
        /// There is no link to the device, or it went away meanwhile.
        case notConnected
        /// The device refuses a link that is not bonded or encrypted.
        case pairingRequired
        /// Bonding was refused or failed.
        case pairingFailed
        /// The characteristic does not allow it.
        case notPermitted
        /// The characteristic is not there, or cannot do this.
        case notSupported
        /// The value has a length that the device refuses.
        case invalidLength
        /// The device lacks characteristics that are needed.
        case wrongProfile
        /// bluetoothd keeps a service of the device to itself that is needed.
        case serviceClaimed
        /// The device shows itself to be an input device, which it must not be.
        case inputDevice
        /// No answer in time.
        case timeout
        /// The caller did not want it any more.
        case cancelled
        /// Anything else; the reason tells.
        case failed
    }

    /// The kind.
    public var code: Code
    /// What was being done: `Connect`, `WriteValue`.
    public var operation: String
    /// With what: a device's address, with the characteristic where there is one, or an adapter's name.
    public var subject: String
    /// The words of the refusal.
    public var reason: String

    /// Describes a failure.
    public init(_ code: Code, _ operation: String, on subject: String, _ reason: String) {
        self.code = code
        self.operation = operation
        self.subject = subject
        self.reason = reason
    }

    /// What a person can do about it; nil where waiting or nothing helps.
    public var remedy: String? {
        switch code {
        case .serviceAway: "Start bluetoothd: systemctl start bluetooth"
        case .noAdapter: "Plug in a Bluetooth adapter, or name one that is there in bluetooth.adapters"
        case .adapterOff:
            "Switch the adapter on: bluetoothctl power on (if that fails: rfkill unblock bluetooth)"
        case .accessDenied: "Let this user talk to org.bluez: add it to the group bluetooth"
        case .connectionLimit: "Let another device go, or plug in a further adapter"
        case .unreachable: "Bring the device near and switch it on"
        case .pairingRequired: "Pair with the device"
        case .pairingFailed:
            "Put the device into pairing mode, forget an old bond on both sides, and pair again"
        case .wrongProfile: "Forget the device, and let it be found again"
        case .serviceClaimed:
            "Start bluetoothd without the plugin that uses the service, such as bluetoothd --noplugin=midi"
        default: nil
        }
    }

    /// The operation, its subject and the reason: `Connect AA:…: le-connection-abort-by-local (unreachable)`.
    public var description: String { "\(operation) \(subject): \(reason) (\(code.rawValue))" }
}
