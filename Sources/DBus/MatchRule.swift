/// Says which signals are wanted. Everything that is not set is not looked at.
public struct MatchRule: Sendable, Hashable {
    /// Who sends them: a unique name, or a well-known one, whose owner is then followed.
    public var sender: String?
    /// The interface of the signal.
    public var interface: String?
    /// The name of the signal.
    public var member: String?
    /// The object that signals.
    public var path: ObjectPath?
    /// An object that signals itself or lies above the one that signals; not together with `path`.
    public var pathNamespace: ObjectPath?
    /// What string arguments hold, by their number (0 to 63).
    public var arguments: [Int: String]
    /// What the first argument is or begins with as a name, such as `org.bluez` for `org.bluez.Device1`.
    public var firstArgumentNamespace: String?

    /// Makes a rule.
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

    /// The rule as the bus wants to have it.
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

    /// The name whose owner must be known to tell its signals from others'; nil if the sender needs no look-up.
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
            throw .invalid("A match rule can look at arguments 0 to 63 only")
        }
        guard arguments.values.allSatisfy(Syntax.isCString) else {
            throw .invalid("An argument of a match rule holds a zero byte")
        }
        if let firstArgumentNamespace {
            // The bus also accepts a single element here, which is no name yet.
            try Syntax.requireBusName(
                firstArgumentNamespace.utf8.contains(UInt8(ascii: "."))
                    ? firstArgumentNamespace : firstArgumentNamespace + ".x")
        }
    }

    /// An apostrophe ends a quoted part; outside, a backslash quotes one.
    private static func quoted(_ value: String) -> String {
        value.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#)
    }
}
