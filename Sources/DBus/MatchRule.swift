/// A rule that selects signals. Properties that are nil match everything.
public struct MatchRule: Sendable, Hashable {
    /// The sender: a unique name, or a well-known name, whose owner is tracked.
    public var sender: String?
    /// The interface of the signal.
    public var interface: String?
    /// The name of the signal.
    public var member: String?
    /// The source of the signal.
    public var path: ObjectPath?
    /// The source of the signal, or an ancestor of it; not together with `path`.
    public var pathNamespace: ObjectPath?
    /// The required string arguments, by their index (0 to 63).
    public var arguments: [Int: String]
    /// The required first argument, or a namespace that contains it: `org.bluez` matches `org.bluez.Device1`.
    public var firstArgumentNamespace: String?

    /// Creates a rule.
    public init(
        sender: String? = nil, interface: String? = nil, member: String? = nil, path: ObjectPath? = nil,
        pathNamespace: ObjectPath? = nil, arguments: [Int: String] = [:],
        firstArgumentNamespace: String? = nil
    ) {
        self.sender = sender
        self.interface = interface
        self.member = member
        self.path = path
        self.pathNamespace = pathNamespace
        self.arguments = arguments
        self.firstArgumentNamespace = firstArgumentNamespace
    }

    /// The rule in the syntax of the bus.
    var text: String {
        var parts = ["type='signal'"]
        if let sender { parts.append("sender='\(sender)'") }
        if let interface { parts.append("interface='\(interface)'") }
        if let member { parts.append("member='\(member)'") }
        if let path { parts.append("path='\(path)'") }
        if let pathNamespace { parts.append("path_namespace='\(pathNamespace)'") }
        for (number, value) in arguments.sorted(by: { $0.key < $1.key }) {
            parts.append("arg\(number)='\(Self.quoted(value))'")
        }
        if let firstArgumentNamespace { parts.append("arg0namespace='\(firstArgumentNamespace)'") }
        return parts.joined(separator: ",")
    }

    /// The well-known name that the rule requires as the sender. Its owner has to be known, because a signal contains
    /// only the unique name of its sender. Nil for any other rule.
    var followedName: String? {
        guard let sender, !sender.hasPrefix(":"), sender != "org.freedesktop.DBus" else { return nil }
        return sender
    }

    func validate() throws(DBusError) {
        if let sender { try Syntax.requireBusName(sender) }
        if let interface { try Syntax.requireInterface(interface) }
        if let member { try Syntax.requireMember(member) }
        guard path == nil || pathNamespace == nil else {
            throw .invalid("A match rule cannot have both a path and a path namespace")
        }
        guard arguments.keys.allSatisfy({ (0...63).contains($0) }) else {
            throw .invalid("A match rule can match only arguments 0 to 63")
        }
        guard arguments.values.allSatisfy(Syntax.isCString) else {
            throw .invalid("An argument of a match rule contains a zero byte")
        }
        if let firstArgumentNamespace {
            // The bus also accepts a name of a single element here, which is otherwise not a valid name.
            try Syntax.requireBusName(
                firstArgumentNamespace.utf8.contains(UInt8(ascii: "."))
                    ? firstArgumentNamespace : firstArgumentNamespace + ".x")
        }
    }

    /// Quotes a value for a rule. An apostrophe would end the quoted part, so the value's apostrophes are put outside
    /// of quotes, each after a backslash.
    private static func quoted(_ value: String) -> String {
        value.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#)
    }
}
