import DBus

/// A call that a client makes, with the number under which the shell waits for its answer.
struct Call: Hashable, Sendable {
    /// The shell's number.
    var number: Int
    /// The client's unique name.
    var sender: String
    var path: ObjectPath
    var interface: String
    var member: String
    var arguments: [Value]

    /// The dictionary of options that is the argument at `index`.
    func options(_ index: Int) -> [String: Value] {
        arguments.indices.contains(index) ? arguments[index].properties ?? [:] : [:]
    }
}
