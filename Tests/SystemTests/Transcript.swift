import Glibc

/// A file to which lines are added, for the search for the cause of a failure.
final class Transcript: Sendable {
    private let descriptor: CInt

    /// Nil if the file cannot be written.
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
