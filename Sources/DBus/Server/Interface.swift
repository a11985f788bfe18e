/// An interface of an exported object.
///
/// `Properties`, `Introspectable`, `ObjectManager` and `Peer` are not declared: the connection answers their calls
/// automatically.
public struct Interface: Sendable {
    /// A signal, declared only for introspection.
    public struct Signal: Sendable, Hashable {
        /// The name of the signal.
        public let name: String
        /// The types of the arguments.
        public let carries: Signature

        /// Creates a declaration of a signal.
        public init(_ name: String, _ carries: Signature = "") {
            self.name = name
            self.carries = carries
        }
    }

    /// The name of the interface.
    public let name: String
    /// The methods.
    public let methods: [Method]
    /// The properties, in the order in which they are listed.
    public let properties: [Property]
    /// The signals.
    public let signals: [Signal]

    /// Creates a declaration of an interface.
    public init(
        _ name: String, methods: [Method] = [], properties: [Property] = [], signals: [Signal] = []
    ) {
        self.name = name
        self.methods = methods
        self.properties = properties
        self.signals = signals
    }

    func validate() throws(DBusError) {
        try Syntax.requireInterface(name)
        for method in methods { try Syntax.requireMember(method.name) }
        for signal in signals { try Syntax.requireMember(signal.name) }
        for property in properties {
            try Syntax.requireMember(property.name)
            try property.value?.validate(as: property.type)
        }
    }
}
