/// A complete message as a value: for sending, and as the result of calls and streams.
public struct Message: Sendable, Hashable {
    /// The four kinds of messages.
    public enum Kind: Sendable, Hashable {
        case methodCall
        case methodReturn
        case error
        case signal
    }

    /// The kind of message.
    public var kind: Kind
    /// The destination; nil for a broadcast signal.
    public var destination: String?
    /// The called object, or the source of the signal.
    public var path: ObjectPath?
    /// The interface of the method or signal.
    public var interface: String?
    /// The name of the method or signal.
    public var member: String?
    /// The name of the error; nil for other messages.
    public var errorName: String?
    /// The arguments.
    public var arguments: [Value]
    /// Whether the bus may start a service for a method call.
    public var startsService = true
    /// Whether the receiver of a method call may ask the user for authorization.
    public var allowsInteraction = false

    /// The sender's unique name, set by the bus; nil in an outgoing message.
    public internal(set) var sender: String?
    /// The serial number, set by the sender; 0 in an outgoing message.
    public internal(set) var serial: UInt32 = 0
    /// The serial number of the answered call; 0 if it is not an answer.
    public package(set) var replySerial: UInt32 = 0

    package init(kind: Kind, arguments: [Value] = []) {
        self.kind = kind
        self.arguments = arguments
    }

    /// Creates a method call.
    public init(
        call member: String, of interface: String, at path: ObjectPath, on destination: String,
        _ arguments: [Value] = []
    ) {
        self.init(kind: .methodCall, arguments: arguments)
        self.destination = destination
        self.path = path
        self.interface = interface
        self.member = member
    }

    /// Creates a signal; without a destination it is a broadcast.
    public init(
        signal member: String, of interface: String, at path: ObjectPath, to destination: String? = nil,
        _ arguments: [Value] = []
    ) {
        self.init(kind: .signal, arguments: arguments)
        self.destination = destination
        self.path = path
        self.interface = interface
        self.member = member
    }

    /// The called method, for error messages.
    var operation: String {
        var text = [interface, member].compactMap { $0 }.joined(separator: ".")
        if let path { text += " at \(path)" }
        if let destination { text += " on \(destination)" }
        return text
    }
}
