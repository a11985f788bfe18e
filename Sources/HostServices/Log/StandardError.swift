import Glibc
import Synchronization

/// Writes lines to standard error without waiting for the reader.
///
/// A blocked reader must not block a bridge that has robots to stop. Lines that do not fit are dropped and counted; the
/// count is written as soon as a line fits again.
final class StandardError: Sendable {
    private let dropped = Mutex(0)
    private let descriptor: CInt

    init(descriptor: CInt = STDERR_FILENO) { self.descriptor = descriptor }

    /// Writes one line. A line is cut to the length that can be written to a pipe atomically.
    @Sendable func write(_ line: [UInt8]) {
        dropped.withLock { dropped in
            guard hasRoom else { return dropped += 1 }
            if dropped > 0 {
                put(Array("(\(dropped) log lines dropped: the reader was too slow)\n".utf8))
                dropped = 0
                guard hasRoom else { return dropped += 1 }
            }
            put(line.count <= Int(PIPE_BUF) ? line : line.prefix(Int(PIPE_BUF) - 4) + Array("…\n".utf8))
        }
    }

    /// Whether a line can be written without waiting.
    private var hasRoom: Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return poll(&entry, 1, 0) == 1 && entry.revents & Int16(POLLOUT) != 0
    }

    private func put(_ bytes: [UInt8]) {
        while Glibc.write(descriptor, bytes, bytes.count) < 0, errno == EINTR {}
    }
}
