/// Says why virtual devices cannot be served.
public struct SimulatorError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of failure.
    public enum Code: String, Hashable, Sendable {
        /// No connection to the bus.
        case noBus
        /// There is a Bluetooth service on the bus already.
        case nameTaken
        /// There is no such adapter, or no Bluetooth service.
        case noAdapter
        /// The Bluetooth service refuses.
        case refused
    }

    /// The kind.
    public let code: Code
    /// What failed, on what, and what to do.
    public let message: String

    /// Makes an error.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The message.
    public var description: String { message }
}
