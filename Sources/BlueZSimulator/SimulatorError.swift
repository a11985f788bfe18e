/// Why virtual devices cannot be served.
public struct SimulatorError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of reasons.
    public enum Code: String, Hashable, Sendable {
        /// The bus cannot be reached.
        case noBus
        /// The bus already has a Bluetooth service.
        case nameTaken
        /// The adapter or the Bluetooth service is absent.
        case noAdapter
        /// The Bluetooth service rejects a request.
        case refused
    }

    /// Which kind of reason it is.
    public let code: Code
    /// What failed, for which object, and what the user can do.
    public let message: String

    /// Creates an error.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The same text as ``message``.
    public var description: String { message }
}
