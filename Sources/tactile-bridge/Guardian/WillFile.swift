import BridgeCore
import Glibc

/// The wills on disk, from which somebody else carries them out if even the guardian is gone.
///
/// The first line names the bus, the others are those of ``GuardianMessage``.
struct WillFile: Sendable {
    /// What is in the file.
    struct Content: Hashable, Sendable {
        var bus: String
        var wills: [LinkWill]
    }

    let path: String

    /// - Parameter folder: The runtime directory.
    init(folder: String) { path = "\(folder)/wills" }

    init(path: String) { self.path = path }

    /// Writes the wills in one step; without any there is no file.
    ///
    /// It is not forced to the disk: after a power cut there is no link that a will could be about.
    func write(_ content: Content) throws(FileAccess.Failure) {
        guard !content.wills.isEmpty else { return remove() }
        let lines = ["bus \(content.bus)"] + content.wills.map { GuardianMessage.keep($0).text }
        let bytes = Array((lines.joined(separator: "\n") + "\n").utf8)
        let temporary = "\(path).new"
        let file = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw FileAccess.Failure(action: "write \(temporary)", number: errno) }
        let count = Glibc.write(file, bytes, bytes.count)
        let number = errno
        close(file)
        guard count == bytes.count else {
            throw FileAccess.Failure(action: "write \(temporary)", number: count < 0 ? number : ENOSPC)
        }
        guard rename(temporary, path) == 0 else {
            throw FileAccess.Failure(action: "rename \(temporary) to \(path)", number: errno)
        }
    }

    /// Reads what was written; nil if there is no file. Lines that are not understood are left out.
    func read() throws(FileAccess.Failure) -> Content? {
        let bytes: [UInt8]
        do { bytes = try FileAccess.read(path) } catch {
            if error.isMissing { return nil }
            throw error
        }
        var buffer = LineBuffer()
        let lines = buffer.append(bytes)
        guard let first = lines.first, first.hasPrefix("bus ") else { return nil }
        let wills = lines.dropFirst().compactMap { line -> LinkWill? in
            guard case .keep(let will) = GuardianMessage(line) else { return nil }
            return will
        }
        return Content(bus: String(first.dropFirst(4)), wills: wills)
    }

    func remove() { _ = unlink(path) }
}
