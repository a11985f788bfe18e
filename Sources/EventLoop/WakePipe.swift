import Glibc

/// Wakes a thread that waits for descriptors, by a byte in a pipe.
struct WakePipe: ~Copyable, Sendable {
    let readEnd: CInt
    private let writeEnd: CInt

    init() throws(EventLoopError) {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { throw EventLoopError(call: "pipe", errno: errno) }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        (readEnd, writeEnd) = (ends[0], ends[1])
    }

    deinit {
        close(readEnd)
        close(writeEnd)
    }

    /// Makes the read end readable. A full pipe is already readable, so a failed write is ignored.
    func wake() {
        var byte: UInt8 = 1
        while write(writeEnd, &byte, 1) < 0 && errno == EINTR {}
    }

    /// Empties the read end.
    func drain() {
        withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { buffer in
            while true {
                let count = read(readEnd, buffer.baseAddress, buffer.count)
                if count == buffer.count || (count < 0 && errno == EINTR) { continue }
                return
            }
        }
    }
}
