package import DBus

extension BlueZError {
    /// Translates an error of the bus or of bluetoothd. BlueZ's error names and messages appear only in this file.
    package init(_ error: DBusError, _ operation: String, on subject: String) {
        let reason = error.message.isEmpty ? error.name : error.message
        self.init(Self.code(of: error), operation, on: subject, reason)
    }

    static func code(of error: DBusError) -> Code {
        switch error.code {
        case .timedOut: .timeout
        case .closed, .cannotConnect: .serviceAway
        case .invalidValue, .unexpectedType: .failed
        case .errorReply: code(ofName: error.name, message: error.message)
        }
    }

    /// Maps an error reply to a code: by the error's name, or by its message if the name covers several failures.
    package static func code(ofName name: String, message: String) -> Code {
        let bluez = "org.bluez.Error."
        if name.hasPrefix(bluez) {
            return code(ofBlueZ: String(name.dropFirst(bluez.count)), message.lowercased())
        }
        switch name {
        case DBusError.Name.serviceUnknown, DBusError.Name.nameHasNoOwner, DBusError.Name.disconnected:
            return .serviceAway
        case DBusError.Name.unknownObject, DBusError.Name.unknownInterface, DBusError.Name.unknownMethod:
            return .unknownDevice
        case DBusError.Name.accessDenied: return .accessDenied
        // The bus sends `NoReply` for a service that vanished before it answered; libdbus uses the name for a call that
        // timed out.
        case DBusError.Name.noReply: return message.contains("disconnected") ? .serviceAway : .timeout
        default: return .failed
        }
    }

    private static func code(ofBlueZ name: String, _ words: String) -> Code {
        switch name {
        case "NotReady": .adapterOff
        case "InProgress": .inProgress
        case "AlreadyConnected", "AlreadyExists": .alreadyDone
        case "NotConnected": .notConnected
        case "DoesNotExist": .unknownDevice
        case "NotAuthorized", "NotPaired": .pairingRequired
        case "NotPermitted": words.contains("not paired") ? .pairingRequired : .notPermitted
        case "NotSupported": .notSupported
        case "InvalidValueLength": .invalidLength
        case "InvalidArguments": words.contains("length") ? .invalidLength : .failed
        case "AuthenticationCanceled", "AuthenticationFailed", "AuthenticationRejected",
            "AuthenticationTimeout", "LeConnectionKeyMissing", "BrConnectionKeyMissing", "Rejected",
            "Canceled":
            .pairingFailed
        case "ConnectionAttemptFailed": .unreachable
        case "NotAvailable": .refused
        default: code(ofFailure: words)
        }
    }

    /// Maps `org.bluez.Error.Failed`, for which only the message contains the cause. Since BlueZ 5.63 the message is a
    /// BlueZ name instead of `strerror` text (src/error.h).
    private static func code(ofFailure words: String) -> Code {
        if let error = attributeError(in: words) { return code(ofAttributeError: error) }
        for (part, code) in failures where words.contains(part) { return code }
        return .failed
    }

    private static let failures: [(String, Code)] = [
        ("not-powered", .adapterOff), ("resource not ready", .adapterOff), ("host is down", .unreachable),
        ("abort-by-local", .unreachable), ("software caused connection abort", .unreachable),
        ("connection-timeout", .unreachable), ("connection timed out", .unreachable),
        ("page-timeout", .unreachable), ("no route to host", .unreachable),
        ("abort-by-remote", .refused), ("connection reset", .refused), ("refused", .refused),
        ("gatt-browsing", .refused), ("link-layer-protocol-error", .refused),
        ("key-missing", .pairingFailed), ("authentication", .pairingFailed),
        ("connection-busy", .inProgress), ("device or resource busy", .inProgress),
        ("in progress", .inProgress), ("concurrent-connection-limit", .connectionLimit),
        ("too many links", .connectionLimit),
        ("sync-connect-limit", .inProgress), ("canceled", .cancelled), ("cancelled", .cancelled),
        ("not connected", .notConnected), ("no att transport", .notConnected),
        ("not-supported", .notSupported), ("function not implemented", .notSupported),
    ]

    /// Finds the number in `Operation failed with ATT error: 0x0e`; newer versions append text after it.
    private static func attributeError(in words: String) -> UInt8? {
        guard let range = words.firstRange(of: "att error: 0x") else { return nil }
        return UInt8(words[range.upperBound...].prefix(2), radix: 16)
    }

    /// Error codes from the Core Specification, Vol 3, Part F, 3.4.1.1. Errors for which BlueZ has its own names do not
    /// reach this function.
    private static func code(ofAttributeError error: UInt8) -> Code {
        switch error {
        case 0x02, 0x03: .notPermitted
        case 0x05, 0x08, 0x0C, 0x0F: .pairingRequired
        case 0x01, 0x06, 0x0A: .notSupported
        case 0x0D: .invalidLength
        default: .failed
        }
    }
}
