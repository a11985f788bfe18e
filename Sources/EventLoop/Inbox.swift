import Glibc
import Synchronization

/// Collects the work for a loop, from any thread, and tracks the loop's thread.
///
/// `@unchecked Sendable`: all variables are accessed only inside `lock`, except for `owner`, which is atomic.
final class Inbox: @unchecked Sendable {
    enum Work {
        case job(UnownedJob)
        case closure(@Sendable () -> Void)
    }

    /// What the thread that added work has to do next.
    enum Demand {
        case nothing
        case wake
        case spawn
    }

    private enum Phase {
        /// The loop's thread takes the work.
        case running
        /// The thread ends as soon as the inbox is empty.
        case stopping
        /// The loop has no thread: the next work needs a new thread.
        case stopped
        /// The loop has ended, and a short-lived thread takes the work that arrived afterwards.
        case draining
    }

    private let isPrompt: Bool
    private let lock = Lock()
    private var work: [Work] = []
    private var phase = Phase.running
    private var isWaiting = false
    /// The loop's thread; 0 if there is none. Each thread only compares this value with its own identifier, so no
    /// memory ordering is needed.
    private let owner = Atomic<pthread_t>(0)

    init(isPrompt: Bool) { self.isPrompt = isPrompt }

    /// Adds work; returns what the caller has to do. The loop's thread is woken only if it sleeps, and only once.
    func add(_ item: Work) -> Demand {
        lock.withLock {
            work.append(item)
            switch phase {
            case .running, .stopping:
                guard isWaiting else { return .nothing }
                isWaiting = false
                return .wake
            case .draining:
                return .nothing
            case .stopped:
                phase = .draining
                return .spawn
            }
        }
    }

    /// Moves the pending work into `batch`, which must be empty; returns whether there was any.
    func take(into batch: inout [Work]) -> Bool {
        lock.withLock {
            guard !work.isEmpty else { return false }
            swap(&work, &batch)
            return true
        }
    }

    /// Announces that the thread is about to sleep; returns false if there is work, so that it must not sleep.
    func prepareToWait() -> Bool {
        lock.withLock {
            guard work.isEmpty, phase == .running else { return false }
            isWaiting = true
            return true
        }
    }

    /// Announces that the thread is awake, so that no other thread wakes it.
    func endWait() {
        lock.withLock { isWaiting = false }
    }

    /// Makes the calling thread the loop's thread.
    func claimThread() {
        owner.store(pthread_self(), ordering: .relaxed)
        if isPrompt { PromptThread.mark() }
    }

    /// Releases the thread if there is no work; returns whether the thread has to end.
    func releaseThread() -> Bool {
        lock.withLock {
            guard work.isEmpty, phase != .running else { return false }
            phase = .stopped
            owner.store(0, ordering: .relaxed)
            return true
        }
    }

    /// Resets the phase after the creation of a thread has failed.
    func abandonSpawn() {
        lock.withLock { phase = .stopped }
    }

    /// Asks the loop's thread to end; returns whether it sleeps and must be woken.
    func requestStop() -> Bool {
        lock.withLock {
            guard phase == .running else { return false }
            phase = .stopping
            defer { isWaiting = false }
            return isWaiting
        }
    }

    var isStopRequested: Bool { lock.withLock { phase != .running } }

    var isOnLoopThread: Bool { owner.load(ordering: .relaxed) == pthread_self() }
}
