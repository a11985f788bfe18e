import Glibc
import Synchronization

/// Runs the jobs of actors and tasks on demand, on the test's own thread, in order.
///
/// Nothing runs in the background. When ``perform(_:)`` returns, all consequences of its body are complete, or they
/// wait for a clock, a radio or a broker that the test controls.
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

    /// Creates an executor without jobs.
    public init() {}

    /// Enqueues a job. The runtime calls this method.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        state.withLock { $0.jobs.append(.job(job)) }
    }

    /// Enqueues a closure after all waiting jobs. It runs within the current or the next ``perform(_:)``.
    public func later(_ closure: @escaping @Sendable () -> Void) {
        state.withLock { $0.jobs.append(.closure(closure)) }
    }

    /// Returns a reference to this executor for actors.
    public func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

    /// Whether the current thread is in ``perform(_:)``.
    public func isIsolatingCurrentContext() -> Bool? { isIsolated }

    /// Stops the process if the current thread is not in ``perform(_:)``. The runtime calls this method.
    public func checkIsolated() { precondition(isIsolated, "not on the executor of the test") }

    private var isIsolated: Bool { state.withLock { $0.owner == pthread_self() } }

    /// Runs a body like a job, and then all its consequences.
    ///
    /// Within a job only the body runs here; its consequences follow after the job.
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

    /// Runs all waiting jobs.
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
