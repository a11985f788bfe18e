/// Says what failed on the bus: which kind of failure, its D-Bus name and text, and what was being called.
///
/// Handlers of exported methods throw it to answer with an error of a given name.
public struct DBusError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kinds of failure that a caller treats differently.
    public enum Code: Sendable, Hashable {
        /// The other side answered with an error; `name` tells which.
        case errorReply
        /// No answer came in time.
        case timedOut
        /// The connection is closed or was lost, before or while waiting for the answer.
        case closed
        /// No connection to the bus came about.
        case cannotConnect
        /// What was to be sent is not allowed on a bus; nothing was sent.
        case invalidValue
        /// What was received has another type than expected.
        case unexpectedType
    }

    /// The kind of failure.
    public let code: Code
    /// The D-Bus error name, such as `org.bluez.Error.InProgress`; a standard one for failures on this side.
    public let name: String
    /// The text that came with it.
    public let message: String
    /// What was being called, such as `org.bluez.Device1.Connect at /org/bluez/hci0 on org.bluez`.
    public let operation: String?

    /// Describes a failure.
    public init(code: Code, name: String, message: String, operation: String? = nil) {
        self.code = code
        self.name = name
        self.message = message
        self.operation = operation
    }

    /// Makes the error that a handler answers a call with.
    public init(name: String, message: String) {
        self.init(code: .errorReply, name: name, message: message)
    }

    /// The operation, the error's name and its text.
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
        DBusError(code: .invalidValue, name: Name.noMemory, message: "libdbus has no memory for the message")
    }

    static func closed(_ operation: String?) -> DBusError {
        DBusError(
            code: .closed, name: Name.disconnected, message: "The connection to the bus is closed",
            operation: operation)
    }
}
