import DBus

/// A client's method call on the bus. ``LookAlike`` keeps the call open under its number until the daemon answers.
struct Call: Hashable, Sendable {
    /// The number that ``LookAlike`` assigned to the call.
    var number: Int
    /// The unique bus name of the client.
    var sender: String
    var path: ObjectPath
    var interface: String
    var member: String
    var arguments: [Value]

    /// The dictionary of options in the argument at `index`.
    func options(_ index: Int) -> [String: Value] {
        arguments.indices.contains(index) ? arguments[index].properties ?? [:] : [:]
    }
}
