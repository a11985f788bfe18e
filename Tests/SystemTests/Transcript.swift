import Glibc

/// A file that collects output lines, to find the cause of a failure.
final class Transcript: Sendable {
    private let descriptor: CInt

    /// Opens the file for appending; nil if it cannot be written.
    init?(_ path: String) {
        descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { return nil }
    }

    deinit { close(descriptor) }

    func write(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = Glibc.write(descriptor, bytes, bytes.count)
    }
}
