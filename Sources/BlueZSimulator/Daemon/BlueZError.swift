import DBus

/// The errors of BlueZ 5.66, with its messages (src/error.c, src/gatt-client.c).
enum BlueZError {
    static let inProgress = make("InProgress", "In Progress")
    static let invalidArguments = make("InvalidArguments", "Invalid arguments in method call")
    static let notSupported = make("NotSupported", "Operation is not supported")
    static let notConnected = make("NotConnected", "Not Connected")
    static let notReady = make("NotReady", "Resource Not Ready")
    static let notAuthorized = make("NotAuthorized", "Operation Not Authorized")
    static let alreadyExists = make("AlreadyExists", "Already Exists")
    static let doesNotExist = make("DoesNotExist", "Does Not Exist")
    static let authenticationFailed = make("AuthenticationFailed", "Authentication Failed")
    static let authenticationCanceled = make("AuthenticationCanceled", "Authentication Canceled")
    static let authenticationRejected = make("AuthenticationRejected", "Authentication Rejected")
    /// The client called `StartDiscovery` twice.
    static let discoveryInProgress = make("InProgress", "Operation already in progress")

    /// The device did not answer within the kernel's timeout.
    static let unreachable = failed("le-connection-abort-by-local")
    /// `Disconnect` was called during the connection attempt.
    static let connectCanceled = failed("br-connection-canceled")
    /// The adapter supports no more connections (HCI error 0x09, Connection Limit Exceeded).
    static let connectionLimit = failed("le-connection-concurrent-connection-limit")
    /// `Connect` was called twice during a connection attempt.
    static let connecting = failed("Operation already in progress")
    /// `Connect` was called on an adapter that is switched off.
    static let adapterOff = failed("Input/output error")
    /// `Pair` was called for a device that does not answer.
    static let pairingUnreachable = failed("Software caused connection abort")
    /// A GATT operation was called for a device that is not connected.
    static let noLink = failed("Not connected")

    static func failed(_ message: String) -> DBusError { make("Failed", message) }

    static func notPermitted(_ message: String) -> DBusError { make("NotPermitted", message) }

    /// The error for an ATT error code (Core Specification, Vol 3, Part F, 3.4.1.1).
    static func att(_ code: UInt8) -> DBusError {
        switch code {
        case 0x02: notPermitted("Read not permitted")
        case 0x03: notPermitted("Write not permitted")
        case 0x05, 0x0C, 0x0F: notPermitted("Not paired")
        case 0x06: notSupported
        case 0x07: make("InvalidArguments", "Invalid offset")
        case 0x08: notAuthorized
        case 0x0D: make("InvalidArguments", "Invalid Length")
        default: failed("Operation failed with ATT error: 0x\(hex(code))")
        }
    }

    private static func hex(_ code: UInt8) -> String {
        let digits = String(code, radix: 16)
        return digits.count == 1 ? "0" + digits : digits
    }

    private static func make(_ name: String, _ message: String) -> DBusError {
        DBusError(name: "org.bluez.Error.\(name)", message: message)
    }
}
