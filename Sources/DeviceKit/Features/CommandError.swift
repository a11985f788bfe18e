/// Says why a command was not carried out, in the code and words that its answer carries.
public struct CommandError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of refusal and failure; the raw value is what the answer carries.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// The payload is neither JSON nor a shorthand of this command, or too large.
        case invalidPayload = "invalid_payload"
        /// A key that this command does not know.
        case unknownField = "unknown_field"
        /// A key that this command needs.
        case missingField = "missing_field"
        /// A value of the wrong kind, or not one of the allowed words.
        case invalidValue = "invalid_value"
        /// A number outside its limits.
        case outOfRange = "out_of_range"
        /// The device has no such command.
        case unknownFeature = "unknown_feature"
        /// There is no such device.
        case unknownDevice = "unknown_device"
        /// This device, firmware or configuration does not allow it.
        case notSupported = "not_supported"
        /// Not in the device's present mode.
        case wrongMode = "wrong_mode"
        /// The device is not connected.
        case deviceOffline = "device_offline"
        /// The device did not confirm in time.
        case timeout = "timeout"
        /// Too much waits already.
        case busy = "busy"
        /// Sent more often than allowed.
        case rateLimited = "rate_limited"
        /// A retained command: it would fire again at every restart.
        case retainedCommand = "retained_command"
        /// It came after its own expiry, or its way was late.
        case expired = "expired"
        /// A stop came: motion must be asked for anew.
        case stopped = "stopped"
        /// The device or its link refused it.
        case deviceError = "device_error"
        /// A mistake of the bridge.
        case `internal` = "internal"
    }

    /// The kind.
    public var code: Code
    /// What was wrong and what is allowed, in words.
    public var message: String
    /// The cause, where the kind alone does not tell.
    public var reason: Reason?

    /// Makes an error of a kind and words; of very many, such as a key of 60 kB, only the beginning is told.
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
    /// What a failed operation means for the command behind it.
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
