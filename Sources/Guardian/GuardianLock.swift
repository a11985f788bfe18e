import Glibc
import HostServices

/// The lock that a guardian holds from its start to its end: a starting bridge waits for it, so that it does not
/// drive a robot that an earlier bridge's guardian still stops.
///
/// The system gives it free when the process ends, however it ends. The file says who holds it, in two lines: the
/// guardian and its bridge, each by process number and start time.
struct GuardianLock: Hashable, Sendable {
    /// Who holds the lock.
    struct Holder: Hashable, Sendable {
        var guardian: ProcessIdentity
        /// The bridge that it watches over, if that was there when it took the lock.
        var bridge: ProcessIdentity?
    }

    let path: String

    /// - Parameter folder: The runtime directory.
    init(folder: String) { path = "\(folder)/guardian.lock" }

    /// Opens the file; its descriptor is not inherited.
    func open() throws(FileAccess.Failure) -> CInt {
        let file = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw FileAccess.Failure(action: "open \(path)", number: errno) }
        return file
    }

    /// Takes the lock, for as long as the descriptor is open, and writes who has it; false if another one has it.
    ///
    /// - Throws: What the system says where there can be no locks.
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

    /// Who holds the lock; nil if it is free, or does not say.
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
