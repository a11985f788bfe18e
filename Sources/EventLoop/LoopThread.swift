import Glibc

enum LoopThread {
    private final class Start: Sendable {
        let name: String
        let body: @Sendable () -> Void

        init(name: String, body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }

    /// Starts a thread, which has to be joined or detached.
    static func spawn(
        name: String, _ body: @escaping @Sendable () -> Void
    ) throws(EventLoopError) -> pthread_t {
        let start = Unmanaged.passRetained(Start(name: name, body: body))
        var thread = pthread_t()
        let status = pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                let start = Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
                LoopThread.setName(start.name)
                start.body()
                return nil
            }, start.toOpaque())
        guard status == 0 else {
            start.release()
            throw EventLoopError(call: "pthread_create", errno: status)
        }
        return thread
    }

    /// Names the calling thread for `ps -T` and debuggers; the kernel keeps 15 bytes.
    ///
    /// Writes to `/proc`, because the Glibc module has neither `pthread_setname_np` nor `prctl`.
    private static func setName(_ name: String) {
        let file = open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        defer { close(file) }
        let bytes = Array(name.utf8.prefix(15))
        _ = write(file, bytes, bytes.count)
    }
}
