import Glibc

/// Protects small values that are shared between threads.
///
/// Uses a pthread mutex instead of `Synchronization.Mutex`, because the thread sanitizer supports only the former.
final class Lock: Sendable {
    // This is safe because the pointer never changes, and pthread mutexes are thread-safe.
    private nonisolated(unsafe) let mutex: UnsafeMutablePointer<pthread_mutex_t>

    init() {
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        let status = pthread_mutex_init(mutex, nil)
        precondition(status == 0, "pthread_mutex_init failed: \(status)")
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    func withLock<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body()
    }
}
