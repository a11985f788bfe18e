import Glibc
import HostServices

/// The lock that a guardian holds from its start to its end. A starting bridge waits for the lock, so that it does not
/// drive a robot that an earlier bridge's guardian is still stopping.
///
/// The kernel releases the lock in whatever way the process ends. The file names the holder in two lines: the guardian
/// and its bridge, each by process ID and start time.
struct GuardianLock: Hashable, Sendable {
    /// The processes that the lock file names.
    struct Holder: Hashable, Sendable {
        var guardian: ProcessIdentity
        /// The guardian's bridge, if it was running when the guardian took the lock.
        var bridge: ProcessIdentity?
    }

    let path: String

    /// - Parameter folder: The runtime directory.
    init(folder: String) { path = "\(folder)/guardian.lock" }

    /// Opens the lock file; child processes do not inherit the descriptor.
    func open() throws(FileAccess.Failure) -> CInt {
        let file = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw FileAccess.Failure(action: "open \(path)", number: errno) }
        return file
    }

    /// Takes the lock and writes the holder into the file; returns false if another process has the lock. The lock is
    /// held as long as the descriptor is open.
    ///
    /// - Throws: The system's error where locks are unsupported.
    func take(_ file: CInt, _ holder: Holder) throws(FileAccess.Failure) -> Bool {
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
            guard errno == EWOULDBLOCK || errno == EINTR else {
                throw FileAccess.Failure(action: "lock \(path)", number: errno)
            }
            return false
        }
        let lines = [holder.guardian.description, holder.bridge?.description ?? "-"]
        let bytes = Array((lines.joined(separator: "\n") + "\n").utf8)
        _ = ftruncate(file, 0)
        _ = pwrite(file, bytes, bytes.count, 0)
        return true
    }

    /// The holder of the lock; nil if it is free, or if the file does not name a holder.
    var holder: Holder? {
        guard let file = try? open() else { return nil }
        defer { close(file) }
        guard flock(file, LOCK_SH | LOCK_NB) != 0, errno == EWOULDBLOCK else { return nil }
        guard let bytes = try? FileAccess.read(path) else { return nil }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        guard let guardian = lines.first.flatMap({ ProcessIdentity($0) }) else { return nil }
        return Holder(guardian: guardian, bridge: lines.dropFirst().first.flatMap { ProcessIdentity($0) })
    }
}
