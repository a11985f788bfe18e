/// An error of a Bluetooth operation: its kind, the operation, its subject and the reason.
public struct BlueZError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of failure that a caller treats differently.
    public enum Code: String, Hashable, Sendable {
        /// bluetoothd is not running, or the bus is not connected.
        case serviceAway
        /// The host has no adapter that this program may use.
        case noAdapter
        /// The adapter is switched off.
        case adapterOff
        /// The D-Bus policy does not allow this program to call bluetoothd.
        case accessDenied
        /// The device or its object is unknown.
        case unknownDevice
        /// The device did not answer: it is out of range or switched off.
        case unreachable
        /// The device closed the connection while it was being established.
        case refused
        /// Another operation on the device is in progress.
        case inProgress
        /// The adapter supports no further connections.
        case connectionLimit
        case alreadyDone
        /// There is no link to the device, or the link was lost during the operation.
        case notConnected
        /// The device requires a bonded or encrypted link.
        case pairingRequired
        /// Bonding was rejected or failed.
        case pairingFailed
        /// The characteristic does not permit the operation.
        case notPermitted
        /// The characteristic does not exist, or does not support the operation.
        case notSupported
        /// The device rejects values of this length.
        case invalidLength
        /// The device lacks required characteristics.
        case wrongProfile
        /// bluetoothd uses a required service of the device itself and does not export it.
        case serviceClaimed
        /// The device has the services of an input device, but the requirements do not allow input devices.
        case inputDevice
        /// The operation timed out.
        case timeout
        /// The caller canceled the operation.
        case cancelled
        /// Any other failure; see the reason.
        case failed
    }

    /// The kind of failure.
    public var code: Code
    /// The failed operation: `Connect`, `WriteValue`.
    public var operation: String
    /// The subject of the operation: a device's address, with the characteristic if there is one, or an adapter's name.
    public var subject: String
    /// The cause, usually in bluetoothd's words.
    public var reason: String

    /// Creates an error.
    public init(_ code: Code, _ operation: String, on subject: String, _ reason: String) {
        self.code = code
        self.operation = operation
        self.subject = subject
        self.reason = reason
    }

    /// An action for the user; nil if no action helps.
    public var remedy: String? {
        switch code {
        case .serviceAway: "Start bluetoothd: systemctl start bluetooth"
        case .noAdapter: "Plug in a Bluetooth adapter, or configure one that is present in bluetooth.adapters"
        case .adapterOff:
            "Switch the adapter on: bluetoothctl power on (if that fails: rfkill unblock bluetooth)"
        case .accessDenied: "Allow this user to use org.bluez: add the user to the group bluetooth"
        case .connectionLimit: "Disconnect another device, or plug in another adapter"
        case .unreachable: "Switch the device on and bring it into range"
        case .pairingRequired: "Pair with the device"
        case .pairingFailed:
            "Put the device into pairing mode, forget an old bond on both sides, and pair again"
        case .wrongProfile: "Forget the device, and let the bridge discover it again"
        case .serviceClaimed:
            "Start bluetoothd without the plugin that uses the service, such as bluetoothd --noplugin=midi"
        default: nil
        }
    }

    /// The operation, its subject and the reason: `Connect AA:…: le-connection-abort-by-local (unreachable)`.
    public var description: String { "\(operation) \(subject): \(reason) (\(code.rawValue))" }
}
