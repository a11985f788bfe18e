package import BridgeContract
import Glibc
package import HostServices

/// The file with the wills of devices. If both the bridge and its guardian have ended, another process carries out the
/// wills in the file.
///
/// The first line is the format, `format 2`. The second line is the bus, such as `bus system`. Each further line is a
/// ``GuardianMessage``. Format 1 started with the line of the bus.
package struct WillFile: Hashable, Sendable {
    package struct Content: Hashable, Sendable {
        package var bus: String
        package var wills: [LinkWill]
        /// The number of lines of the file that could not be read.
        package var unreadable = 0
    }

    private static let format = "format 2"

    let path: String

    /// - Parameter folder: The runtime directory.
    package init(folder: String) { path = "\(folder)/wills" }

    /// Writes the wills atomically; removes the file if there are none.
    ///
    /// The file is not synced to the disk: after a power cut no device has a link, so the wills are not needed.
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

    /// Reads a file of this release or an earlier one; nil if there is no file.
    ///
    /// Invalid lines are counted and ignored, so that an invalid line does not prevent other devices from being
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
