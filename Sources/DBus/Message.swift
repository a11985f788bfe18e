/// Holds a whole message as a value: what is sent, and what calls and streams return.
public struct Message: Sendable, Hashable {
    /// The four kinds of messages.
    public enum Kind: Sendable, Hashable {
        case methodCall
        case methodReturn
        case error
        case signal
    }

    /// What kind of message it is.
    public var kind: Kind
    /// Whom it goes to; nil for a signal to everyone.
    public var destination: String?
    /// The object that is called or that signals.
    public var path: ObjectPath?
    /// The interface of the method or signal.
    public var interface: String?
    /// The name of the method or signal.
    public var member: String?
    /// The name of the error, if it is one.
    public var errorName: String?
    /// The arguments.
    public var arguments: [Value]
    /// Whether a method call may start the program that owns the destination.
    public var startsService = true
    /// Whether a method call may ask a person for permission.
    public var allowsInteraction = false

    /// Who sent it, as a unique name; set by the bus, nil in a message that is yet to be sent.
    public internal(set) var sender: String?
    /// The number that its sender gave it; 0 in a message that is yet to be sent.
    public internal(set) var serial: UInt32 = 0
    /// The number of the call that it answers; 0 if it is no answer.
    public package(set) var replySerial: UInt32 = 0

    package init(kind: Kind, arguments: [Value] = []) {
        self.kind = kind
        self.arguments = arguments
    }

    /// Makes a method call.
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

    /// Makes a signal; without a destination it goes to everyone who listens.
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

    /// What is called, for error messages.
    var operation: String {
        var text = [interface, member].compactMap { $0 }.joined(separator: ".")
        if let path { text += " at \(path)" }
        if let destination { text += " on \(destination)" }
        return text
    }
}
