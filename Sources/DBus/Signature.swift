/// A sequence of complete D-Bus types, such as the arguments of a method: `oa{sv}`.
public struct Signature: Sendable, Hashable, CustomStringConvertible, ExpressibleByStringLiteral {
    /// The maximum length in bytes.
    static let maximumLength = 255
    /// The maximum nesting depth of arrays, and of structures.
    static let maximumDepth = 32

    /// The types in order.
    public let types: [ValueType]
    /// The signature as text.
    public let description: String

    /// Parses a signature.
    ///
    /// - Throws: `DBusError` with `.invalidValue` if it is invalid.
    public init(_ text: String) throws(DBusError) {
        types = try SignatureParser.parse(text)
        description = text
    }

    /// Creates a signature from a literal; an invalid signature stops the process.
    public init(stringLiteral text: String) {
        do {
            try self.init(text)
        } catch {
            preconditionFailure("\(error)")
        }
    }

    /// Creates a signature from types.
    ///
    /// - Throws: `DBusError` with `.invalidValue` if the signature is longer than 255 bytes, is nested deeper than 32
    ///   arrays or 32 structures, or contains an empty structure or a dictionary with a container as key.
    public init(_ types: [ValueType]) throws(DBusError) {
        try self.init(types.map(\.description).joined())
    }
}
