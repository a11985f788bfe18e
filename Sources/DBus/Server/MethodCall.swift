/// A received method call.
public struct MethodCall: Sendable, Hashable {
    /// The unique name of the caller, such as `:1.42`.
    public let sender: String
    /// The called object.
    public let path: ObjectPath
    /// The interface of the method.
    public let interface: String
    /// The name of the method.
    public let member: String
    /// The arguments, of the method's declared types.
    public let arguments: [Value]
    /// Whether the caller waits for an answer.
    public let wantsReply: Bool
}
