import Glibc

/// How the disk is made to keep what was written. A test puts a slow one in its place, or one that fails.
package struct Disk: Sendable {
    /// Waits until a file with all that is known of it is on the disk; as fsync(2).
    var synchronise: @Sendable (CInt) -> CInt = { fsync($0) }
    /// Waits until the bytes of a file are on the disk; as fdatasync(2).
    package var synchroniseData: @Sendable (CInt) -> CInt = { fdatasync($0) }

    package init(
        synchronise: @escaping @Sendable (CInt) -> CInt = { fsync($0) },
        synchroniseData: @escaping @Sendable (CInt) -> CInt = { fdatasync($0) }
    ) {
        self.synchronise = synchronise
        self.synchroniseData = synchroniseData
    }
}
