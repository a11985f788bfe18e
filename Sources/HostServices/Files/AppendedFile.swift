package import Glibc

/// A file to which bytes are appended, as long as a reserve of space on the disk stays free.
///
/// An instance belongs to one thread, which may wait for the disk.
package final class AppendedFile {
    package let path: String
    private let descriptor: CInt
    private let reserve: Int

    /// The default reserve in bytes: the state of the bridge must fit on the disk after a recording.
    package static let usualReserve = 16 << 20

    /// Creates a file, or truncates an existing file.
    ///
    /// - Parameter reserve: The number of bytes that must stay free on the disk.
    package init(
        _ path: String, mode: mode_t = 0o600, reserve: Int = AppendedFile.usualReserve
    ) throws(FileAccess.Failure) {
        FileAccess.assertMayBlock(path)
        descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw FileAccess.Failure(action: "write \(path)", number: errno) }
        self.path = path
        self.reserve = reserve
    }

    deinit { close(descriptor) }

    package func append(_ bytes: [UInt8]) throws(FileAccess.Failure) {
        FileAccess.assertMayBlock(path)
        guard hasRoom(for: bytes.count) else {
            throw FileAccess.Failure(action: "write \(path)", number: ENOSPC)
        }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw FileAccess.Failure(action: "write \(path)", number: errno) }
            rest = rest.dropFirst(count)
        }
    }

    /// Returns whether the disk has enough free space; true if the path is not on a disk, for example a pipe.
    private func hasRoom(for count: Int) -> Bool {
        var status = statvfs()
        guard fstatvfs(descriptor, &status) == 0, status.f_blocks > 0 else { return true }
        return Int(clamping: status.f_bavail) * Int(clamping: status.f_frsize) >= count + reserve
    }
}
