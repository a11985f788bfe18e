import Glibc

/// The system calls that wait for the disk. Tests replace them to simulate a slow or failing disk.
package struct Disk: Sendable {
    /// Waits until a file and its metadata are on the disk, like fsync(2).
    var synchronise: @Sendable (CInt) -> CInt = { fsync($0) }
    /// Waits until the data of a file is on the disk, like fdatasync(2).
    package var synchroniseData: @Sendable (CInt) -> CInt = { fdatasync($0) }

    package init(
        synchronise: @escaping @Sendable (CInt) -> CInt = { fsync($0) },
        synchroniseData: @escaping @Sendable (CInt) -> CInt = { fdatasync($0) }
    ) {
        self.synchronise = synchronise
        self.synchroniseData = synchroniseData
    }
}
