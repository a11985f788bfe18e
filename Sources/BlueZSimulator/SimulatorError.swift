/// The reason why virtual devices cannot be served.
public struct SimulatorError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of failure.
    public enum Code: String, Hashable, Sendable {
        /// No connection to the bus.
        case noBus
        /// The bus already has a Bluetooth service.
        case nameTaken
        /// The adapter or the Bluetooth service is absent.
        case noAdapter
        /// The Bluetooth service rejects a request.
        case refused
    }

    /// The kind of failure.
    public let code: Code
    /// The failed operation, its object and the remedy.
    public let message: String

    /// Creates an error.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The message.
    public var description: String { message }
}
