import Glibc
import HostServices
import Logging
import MQTT

/// The random end of the bridge's MQTT client id, stored in the state directory. A broker disconnects a client if
/// another client connects with the same client id. The random end prevents anyone who knows only the bridge's id from
/// doing this.
///
/// The file is locked while the object exists. A second process with the same folder gets a different end, because two
/// clients with one client id would disconnect each other.
final class ClientIDFile {
    let end: String
    /// The descriptor of the locked file; negative if this process has no lock.
    private let descriptor: CInt

    private static let name = "client-id"

    /// Reads the file, and creates it if it is missing.
    init(folder: String, logger: Logger) {
        do throws(FileAccess.Failure) {
            try FileAccess.makeFolder(folder)
            (end, descriptor) = try Self.openFile("\(folder)/\(Self.name)")
        } catch {
            (end, descriptor) = (MQTT.Configuration.randomClientIDEnd(), -1)
            logger.warning(
                "the random part of the client id cannot be stored, and changes at the next restart",
                metadata: ["reason": "\(error)"])
        }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Opens and locks the file, and reads or writes the random end. Returns a negative descriptor if another process
    /// has locked the file.
    private static func openFile(_ path: String) throws(FileAccess.Failure) -> (end: String, CInt) {
        FileAccess.assertMayBlock(path)
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FileAccess.Failure(action: "open \(path)", number: errno) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
            close(descriptor)
            return (MQTT.Configuration.randomClientIDEnd(), -1)
        }
        let text = (try? FileAccess.read(path, limit: 64)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        let known = text.hasSuffix("\n") ? String(text.dropLast()) : text
        if MQTT.Configuration.isRandomClientIDEnd(known) { return (known, descriptor) }
        let new = MQTT.Configuration.randomClientIDEnd()
        let bytes = Array("\(new)\n".utf8)
        guard ftruncate(descriptor, 0) == 0, pwrite(descriptor, bytes, bytes.count, 0) == bytes.count,
            fsync(descriptor) == 0
        else {
            defer { close(descriptor) }
            throw FileAccess.Failure(action: "write \(path)", number: errno)
        }
        return (new, descriptor)
    }
}
