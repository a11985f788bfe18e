import Glibc

/// Marks the threads that must never wait for a disk or a name server.
enum PromptThread {
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        let status = pthread_key_create(&key, nil)
        precondition(status == 0, "pthread_key_create failed: \(status)")
        return key
    }()

    /// Marks the calling thread until its end.
    static func mark() { pthread_setspecific(key, UnsafeRawPointer(bitPattern: 1)) }

    static var isCurrent: Bool { pthread_getspecific(key) != nil }
}

extension EventLoop {
    /// Whether the calling thread belongs to a loop that must not be blocked. For assertions in code that blocks.
    public static var isOnPromptThread: Bool { PromptThread.isCurrent }
}
