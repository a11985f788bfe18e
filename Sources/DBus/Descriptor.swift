import Glibc

/// Owns a file descriptor and closes it with the last reference.
public final class Descriptor: Sendable, Hashable, CustomStringConvertible {
    /// The number; valid as long as this object lives.
    public let number: CInt

    /// Takes over a descriptor: no other code may close it.
    public init(adopting number: CInt) { self.number = number }

    /// Makes a copy of a descriptor that stays with its owner.
    ///
    /// - Throws: `DBusError` with `.invalidValue` if it is not open or the process has too many.
    public convenience init(duplicating number: CInt) throws(DBusError) {
        self.init(adopting: try Self.duplicate(number))
    }

    deinit { close(number) }

    /// Returns a copy that the caller owns and has to close; it is closed on exec.
    public func duplicate() throws(DBusError) -> CInt { try Self.duplicate(number) }

    /// Tells whether both are the same object (not: whether they are copies of one descriptor).
    public static func == (left: Descriptor, right: Descriptor) -> Bool { left === right }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    /// The number as text.
    public var description: String { "descriptor \(number)" }

    private static func duplicate(_ number: CInt) throws(DBusError) -> CInt {
        let copy = fcntl(number, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else {
            throw .invalid("Descriptor \(number) cannot be copied: \(String(cString: strerror(errno)))")
        }
        return copy
    }
}
