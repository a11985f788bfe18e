import Glibc

/// An anonymous file with a path that this process can open. It exists as long as its owner.
final class TemporaryFile {
    private let descriptor: CInt
    var path: String { "/proc/self/fd/\(descriptor)" }

    init(_ bytes: [UInt8]) throws {
        var template = Array("/tmp/fuzzed-XXXXXX".utf8CString)
        descriptor = mkstemp(&template)
        unlink(template)
        guard descriptor >= 0, write(descriptor, bytes, bytes.count) == bytes.count else {
            throw Failure()
        }
    }

    deinit { close(descriptor) }

    struct Failure: Error {}
}
