/// The path of an object on the bus, such as `/org/bluez/hci0`.
public struct ObjectPath: Sendable, Hashable, Comparable, CustomStringConvertible, ExpressibleByStringLiteral
{
    /// The path as text.
    public let description: String

    /// The root, `/`.
    public static let root = ObjectPath(unchecked: "/")

    /// Validates a path from outside the program.
    ///
    /// - Throws: `DBusError` with `.invalidValue` if the text does not start with `/`, ends with `/` (except the root),
    ///   or has an empty element or characters other than `A-Z a-z 0-9 _`.
    public init(_ text: String) throws(DBusError) {
        guard Syntax.isPath(text) else { throw .invalid("\"\(text)\" is not an object path") }
        description = text
    }

    /// Creates a path from a literal; an invalid path stops the process.
    public init(stringLiteral text: String) {
        precondition(Syntax.isPath(text), "\"\(text)\" is not an object path")
        description = text
    }

    /// Creates a path that libdbus has validated.
    init(unchecked text: String) { description = text }

    /// Returns the path of a child; an invalid element stops the process.
    public func appending(_ element: String) -> ObjectPath {
        ObjectPath(stringLiteral: self == .root ? "/" + element : "\(description)/\(element)")
    }

    /// The parent path; nil for the root.
    public var parent: ObjectPath? {
        guard self != .root, let slash = description.utf8.lastIndex(of: UInt8(ascii: "/")) else { return nil }
        return slash == description.startIndex ? .root : ObjectPath(unchecked: String(description[..<slash]))
    }

    /// The last element; empty for the root.
    public var name: String {
        guard let slash = description.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "" }
        return String(description[description.utf8.index(after: slash)...])
    }

    /// Whether the path is `ancestor` or a descendant of it.
    public func isInside(_ ancestor: ObjectPath) -> Bool {
        guard ancestor != .root else { return true }
        let (path, prefix) = (description.utf8, ancestor.description.utf8)
        guard path.starts(with: prefix) else { return false }
        return path.count == prefix.count || path.dropFirst(prefix.count).first == UInt8(ascii: "/")
    }

    /// Orders paths by their bytes, so that parents precede their children.
    public static func < (left: ObjectPath, right: ObjectPath) -> Bool {
        left.description.utf8.lexicographicallyPrecedes(right.description.utf8)
    }
}
