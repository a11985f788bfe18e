import CCrypto

/// The key of a proxy, which is never shown in a log, a description or a dump.
public struct EncryptionKey: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    /// The 32 bytes of the key.
    public let bytes: [UInt8]

    /// The expected format, for error messages.
    public static let expected = "32 bytes in base64: 44 characters, not all zero"

    /// Creates a random key.
    public init() { bytes = Crypto.randomKey() }

    /// Parses a key in base64; nil for anything else, and for 32 zero bytes, which mean that the proxy has no key yet.
    public init?(base64 text: some StringProtocol) {
        let digits = Array(text.utf8)
        // The last of the 44 characters is padding, which OpenSSL decodes as a zero byte.
        guard digits.count == 44 else { return nil }
        var decoded = [UInt8](repeating: 0, count: Crypto.length + 1)
        guard EVP_DecodeBlock(&decoded, digits, CInt(digits.count)) == CInt(decoded.count) else { return nil }
        bytes = Array(decoded.prefix(Crypto.length))
        guard base64 == String(decoding: digits, as: UTF8.self), bytes.contains(where: { $0 != 0 }) else {
            return nil
        }
    }

    /// The key in base64.
    public var base64: String {
        var digits = [UInt8](repeating: 0, count: 45)
        EVP_EncodeBlock(&digits, bytes, CInt(bytes.count))
        return String(decoding: digits.dropLast(), as: UTF8.self)
    }

    /// A placeholder that hides the key.
    public var description: String { "(secret)" }

    /// Hides the value from `dump`.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
