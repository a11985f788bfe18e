/// Tells a handler what it is called with and by whom.
public struct MethodCall: Sendable, Hashable {
    /// The unique name of the caller, such as `:1.42`.
    public let sender: String
    /// The object that is called.
    public let path: ObjectPath
    /// The interface of the method.
    public let interface: String
    /// The name of the method.
    public let member: String
    /// The arguments; their types are those that the method declares.
    public let arguments: [Value]
    /// Whether the caller waits for an answer.
    public let wantsReply: Bool
}
