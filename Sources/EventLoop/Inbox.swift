import Glibc
import Synchronization

/// Takes what other threads hand to the loop, and knows which thread the loop runs on.
///
/// `@unchecked Sendable`: every variable is read and written inside `lock` only, but the owner, which is atomic.
final class Inbox: @unchecked Sendable {
    enum Work {
        case job(UnownedJob)
        case closure(@Sendable () -> Void)
    }

    /// What the thread that put work into the inbox has to do next.
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
        /// No thread: the next piece of work needs one of its own.
        case stopped
        /// A short-lived thread takes what came after the end.
        case draining
    }

    private let isPrompt: Bool
    private let lock = Lock()
    private var work: [Work] = []
    private var phase = Phase.running
    private var isWaiting = false
    /// The loop's thread; 0 if there is none. Each thread asks only whether it is itself, so no order is needed.
    private let owner = Atomic<pthread_t>(0)

    init(isPrompt: Bool) { self.isPrompt = isPrompt }

    /// Adds work. The loop's thread is woken only if it sleeps, and once only.
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

    /// Moves the waiting work into `batch`, which must be empty, and returns whether there was any.
    func take(into batch: inout [Work]) -> Bool {
        lock.withLock {
            guard !work.isEmpty else { return false }
            swap(&work, &batch)
            return true
        }
    }

    /// Announces that the thread is about to sleep; false if there is a reason not to.
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

    /// Gives the thread up if nothing waits; true if the thread has to end now.
    func releaseThread() -> Bool {
        lock.withLock {
            guard work.isEmpty, phase != .running else { return false }
            phase = .stopped
            owner.store(0, ordering: .relaxed)
            return true
        }
    }

    /// Goes back from a thread that could not be made.
    func abandonSpawn() {
        lock.withLock { phase = .stopped }
    }

    /// Asks the loop's thread to end; true if it sleeps and must be woken.
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
