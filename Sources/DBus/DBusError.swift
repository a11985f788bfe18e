/// An error of the bus: its kind, its D-Bus name and message, and the operation.
///
/// Handlers of exported methods throw it to answer with a D-Bus error.
public struct DBusError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kinds of failure that a caller treats differently.
    public enum Code: Sendable, Hashable {
        /// The other side answered with an error, given in `name`.
        case errorReply
        /// No answer arrived in time.
        case timedOut
        /// The connection is closed or was lost, before or while waiting for the answer.
        case closed
        /// The connection to the bus failed.
        case cannotConnect
        /// A value cannot be sent on a bus; nothing was sent.
        case invalidValue
        /// A received value has an unexpected type.
        case unexpectedType
    }

    /// The kind of failure.
    public let code: Code
    /// The D-Bus error name, such as `org.bluez.Error.InProgress`; a standard error name for failures in this process.
    public let name: String
    /// The error message.
    public let message: String
    /// The failed operation, such as `org.bluez.Device1.Connect at /org/bluez/hci0 on org.bluez`.
    public let operation: String?

    /// Creates an error.
    public init(code: Code, name: String, message: String, operation: String? = nil) {
        self.code = code
        self.name = name
        self.message = message
        self.operation = operation
    }

    /// Creates the error with which a handler answers a call.
    public init(name: String, message: String) {
        self.init(code: .errorReply, name: name, message: message)
    }

    /// The operation, the message and the error's name.
    public var description: String {
        let what = operation.map { "\($0): " } ?? ""
        return message.isEmpty ? what + name : "\(what)\(message) (\(name))"
    }

    package static func invalid(_ message: String) -> DBusError {
        DBusError(code: .invalidValue, name: Name.invalidArguments, message: message)
    }

    static var tooLongSignature: DBusError {
        invalid("The types of the arguments make a signature longer than \(Signature.maximumLength) bytes")
    }

    static func unexpected(_ message: String) -> DBusError {
        DBusError(code: .unexpectedType, name: Name.invalidArguments, message: message)
    }

    static var noMemory: DBusError {
        DBusError(code: .invalidValue, name: Name.noMemory, message: "Not enough memory for the message")
    }

    static func closed(_ operation: String?) -> DBusError {
        DBusError(
            code: .closed, name: Name.disconnected, message: "The connection to the bus is closed",
            operation: operation)
    }
}
