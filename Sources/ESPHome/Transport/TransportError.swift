/// The reason why a connection between a client and a proxy cannot continue.
public struct TransportError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of error.
    public enum Code: String, Hashable, Sendable {
        /// The keys of the two sides differ, or the proxy has no key yet.
        case wrongKey
        /// The proxy requires a key.
        case encryptionRequired
        /// The proxy has no encryption.
        case noEncryption
        /// The other side ends the handshake for another reason.
        case refused
        /// The received bytes are not a valid frame, or their authentication failed.
        case invalidFrame
    }

    /// The kind of error.
    public var code: Code
    /// A description for users.
    public var message: String

    /// Creates an error.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The description for users, ``message``.
    public var description: String { message }
}
