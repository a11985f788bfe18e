package import BridgeContract
import Glibc
package import HostServices

/// The wills on disk, from which they are carried out if even the guardian is gone.
///
/// The first line says the format, `format 2`, the second names the bus, `bus system`, the others are those of
/// ``GuardianMessage``. Format 1 began with the bus.
package struct WillFile: Hashable, Sendable {
    package struct Content: Hashable, Sendable {
        package var bus: String
        package var wills: [LinkWill]
        /// How many lines were not understood.
        package var unreadable = 0
    }

    private static let format = "format 2"

    let path: String

    /// - Parameter folder: The runtime directory.
    package init(folder: String) { path = "\(folder)/wills" }

    /// Writes the wills in one step; without any there is no file.
    ///
    /// It is not forced to the disk: after a power cut there is no link that a will could be about.
    package func write(_ content: Content) throws(FileAccess.Failure) {
        guard !content.wills.isEmpty else { return remove() }
        let lines =
            [Self.format, "bus \(content.bus)"] + content.wills.map { GuardianMessage.keep($0).text }
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

    /// Reads what was written, by this release or an earlier one; nil if there is no file.
    ///
    /// Lines that are not understood are counted and left out, so that one of them keeps no device from being
    /// stopped.
    package func read() throws(FileAccess.Failure) -> Content? {
        let bytes: [UInt8]
        do { bytes = try FileAccess.read(path) } catch {
            if error.isMissing { return nil }
            throw error
        }
        var buffer = LineBuffer()
        var lines = buffer.append(bytes)[...]
        if lines.first?.hasPrefix("format ") == true { lines = lines.dropFirst() }
        guard let first = lines.popFirst(), first.hasPrefix("bus ") else {
            return Content(bus: "", wills: [], unreadable: max(lines.count, 1))
        }
        let wills = lines.compactMap { line -> LinkWill? in
            guard case .keep(let will) = GuardianMessage(line) else { return nil }
            return will
        }
        return Content(
            bus: String(first.dropFirst(4)), wills: wills, unreadable: lines.count - wills.count)
    }

    func remove() { _ = unlink(path) }
}
