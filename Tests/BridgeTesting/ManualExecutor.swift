import Glibc
import Synchronization

/// Runs the jobs of actors and tasks when a test says so, on the test's own thread, in order.
///
/// Nothing happens behind a test's back: when ``perform(_:)`` returns, everything that its body led to is done, or
/// waits for a clock, a radio or a broker that the test holds in its hands.
public final class ManualExecutor: SerialExecutor, TaskExecutor {
    private enum Work {
        case job(UnownedJob)
        case closure(@Sendable () -> Void)
    }

    private struct State {
        var jobs: [Work] = []
        var owner: pthread_t?
    }

    private let state = Mutex(State())

    /// Makes an executor that has nothing to do.
    public init() {}

    /// Takes a job, to be run later; called by the runtime.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        state.withLock { $0.jobs.append(.job(job)) }
    }

    /// Takes a closure, to be run behind what waits already; within ``perform(_:)``, or at the next one.
    public func later(_ closure: @escaping @Sendable () -> Void) {
        state.withLock { $0.jobs.append(.closure(closure)) }
    }

    /// Names this executor for actors.
    public func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

    /// Whether the calling thread is in ``perform(_:)``.
    public func isIsolatingCurrentContext() -> Bool? { isIsolated }

    /// Stops the process if the calling thread is not in ``perform(_:)``; called by the runtime.
    public func checkIsolated() { precondition(isIsolated, "not on the executor of the test") }

    private var isIsolated: Bool { state.withLock { $0.owner == pthread_self() } }

    /// Runs a body as if it were a job, and then everything that it led to.
    ///
    /// Within a job it only runs the body: the rest follows anyway.
    public func perform<Result>(_ body: () throws -> Result) rethrows -> Result {
        let isInner = state.withLock { state in
            precondition(state.owner == nil || state.owner == pthread_self(), "two threads, one executor")
            defer { state.owner = pthread_self() }
            return state.owner != nil
        }
        guard !isInner else { return try body() }
        defer {
            runJobs()
            state.withLock { $0.owner = nil }
        }
        return try body()
    }

    /// Runs everything that waits.
    public func drain() { perform {} }

    private func runJobs() {
        var count = 0
        while true {
            let batch = state.withLock { state in
                defer { state.jobs = [] }
                return state.jobs
            }
            guard !batch.isEmpty else { return }
            for work in batch {
                switch work {
                case .job(let job):
                    job.runSynchronously(
                        isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
                case .closure(let closure): closure()
                }
            }
            count += batch.count
            precondition(count < 10_000_000, "the jobs never come to an end")
        }
    }
}
