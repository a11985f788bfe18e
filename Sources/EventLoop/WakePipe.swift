import Glibc

/// Wakes the loop's thread while it waits for descriptors: another thread writes a byte to a pipe that the loop's
/// thread watches.
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

    /// Removes the bytes that earlier calls of ``wake()`` have written.
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
