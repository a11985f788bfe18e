public import JSON

/// The reason why a command was not carried out, with the code and the message of its answer.
public struct CommandError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of refusal and failure. The raw value is part of the answer.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// The payload is neither JSON nor a shorthand of this command, or too large.
        case invalidPayload = "invalid_payload"
        /// The command does not have this key.
        case unknownField = "unknown_field"
        /// A key that the command requires is missing.
        case missingField = "missing_field"
        /// A value has the wrong type, or is not one of the allowed words.
        case invalidValue = "invalid_value"
        /// A number is outside its limits.
        case outOfRange = "out_of_range"
        /// The device has no such command.
        case unknownFeature = "unknown_feature"
        /// There is no such device.
        case unknownDevice = "unknown_device"
        /// This device, its firmware or the configuration does not allow the command.
        case notSupported = "not_supported"
        /// The command is not allowed in the current mode of the device.
        case wrongMode = "wrong_mode"
        /// The device is not connected.
        case deviceOffline = "device_offline"
        /// The device did not confirm the command in time.
        case timeout = "timeout"
        /// Too many commands are queued.
        case busy = "busy"
        /// The sender sends commands more often than allowed.
        case rateLimited = "rate_limited"
        /// The command is retained. The broker would deliver it again after every restart.
        case retainedCommand = "retained_command"
        /// The command arrived after its expiry, or messages from the broker are delayed.
        case expired = "expired"
        /// A stop blocks motion. The sender must send the command again after the stop has ended.
        case stopped = "stopped"
        /// The device refused the command, or its Bluetooth link failed in another way.
        case deviceError = "device_error"
        /// A bug in the bridge.
        case `internal` = "internal"
    }

    /// The kind of refusal or failure.
    public var code: Code
    /// The mistake and the allowed values, in words.
    public var message: String
    /// The cause, if the kind alone does not identify it.
    public var reason: Reason?
    /// The values in the reply with which the device refused the command; empty if there was no such reply or it had no
    /// values.
    public var refused: JSON.Object = [:]

    /// Creates an error. A very long message, for instance with a key of 60 kB, is truncated.
    public init(_ code: Code, _ message: String, reason: Reason? = nil) {
        self.code = code
        self.reason = reason
        self.message =
            message.utf8.count <= Self.maximumLength
            ? message : String(message.prefix(Self.maximumLength - 1)) + "…"
    }

    private static let maximumLength = 2000

    /// `out_of_range: direction: 0 to 360, got 400`
    public var description: String { "\(code.rawValue): \(message)" }
}

extension CommandError {
    /// Creates the error of a command from the failed read, write or subscription that caused it.
    public init(_ error: OperationError) {
        let code: Code =
            switch error.code {
            case .disconnected: .deviceOffline
            case .timeout: .timeout
            case .notSupported: .notSupported
            case .notPermitted, .invalidLength, .failed: .deviceError
            }
        self.init(code, error.message)
    }
}
