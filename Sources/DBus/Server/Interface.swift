/// Declares one interface of an exported object.
///
/// `Properties`, `Introspectable`, `ObjectManager` and `Peer` are not declared: the connection answers for them.
public struct Interface: Sendable {
    /// Declares a signal, for introspection only.
    public struct Signal: Sendable, Hashable {
        /// The name of the signal.
        public let name: String
        /// The types of its arguments.
        public let carries: Signature

        /// Declares a signal.
        public init(_ name: String, _ carries: Signature = "") {
            self.name = name
            self.carries = carries
        }
    }

    /// The name of the interface.
    public let name: String
    /// Its methods.
    public let methods: [Method]
    /// Its properties, in the order in which they are listed.
    public let properties: [Property]
    /// Its signals.
    public let signals: [Signal]

    /// Declares an interface.
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
