/// Names a sequence of complete D-Bus types, such as the arguments of a method: `oa{sv}`.
public struct Signature: Sendable, Hashable, CustomStringConvertible, ExpressibleByStringLiteral {
    /// The longest one, in bytes.
    static let maximumLength = 255
    /// The deepest nesting of arrays, and that of structures.
    static let maximumDepth = 32

    /// The types in order.
    public let types: [ValueType]
    /// The signature as text.
    public let description: String

    /// Reads a signature.
    ///
    /// - Throws: `DBusError` with `.invalidValue` if it is not valid.
    public init(_ text: String) throws(DBusError) {
        types = try SignatureParser.parse(text)
        description = text
    }

    /// Takes a signature that is written in the program; a wrong one ends the process.
    public init(stringLiteral text: String) {
        do {
            try self.init(text)
        } catch {
            preconditionFailure("\(error)")
        }
    }

    /// Puts types together.
    ///
    /// - Throws: `DBusError` with `.invalidValue` if the whole is longer than 255 bytes, is nested deeper than
    ///   32 arrays or 32 structures, or holds an empty structure or a dictionary whose key is a container.
    public init(_ types: [ValueType]) throws(DBusError) {
        try self.init(types.map(\.description).joined())
    }
}
