import Glibc

/// An owned file descriptor, closed with the last reference.
public final class Descriptor: Sendable, Hashable, CustomStringConvertible {
    /// The descriptor; valid as long as this object exists.
    public let number: CInt

    /// Adopts a descriptor: no other code may close it.
    public init(adopting number: CInt) { self.number = number }

    /// Duplicates a descriptor; the original stays with its owner.
    ///
    /// - Throws: `DBusError` with `.invalidValue` if the descriptor is not open or the process has too many open
    ///   descriptors.
    public convenience init(duplicating number: CInt) throws(DBusError) {
        self.init(adopting: try Self.duplicate(number))
    }

    deinit { close(number) }

    /// Returns a duplicate with close-on-exec, which the caller owns and has to close.
    public func duplicate() throws(DBusError) -> CInt { try Self.duplicate(number) }

    /// Whether both are the same object. Duplicates of one descriptor are not equal.
    public static func == (left: Descriptor, right: Descriptor) -> Bool { left === right }

    /// Hashes the object identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    /// The number as text.
    public var description: String { "descriptor \(number)" }

    private static func duplicate(_ number: CInt) throws(DBusError) -> CInt {
        let copy = fcntl(number, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else {
            throw .invalid("Descriptor \(number) cannot be duplicated: \(String(cString: strerror(errno)))")
        }
        return copy
    }
}
