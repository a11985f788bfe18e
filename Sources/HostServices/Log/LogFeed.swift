import Glibc
import Synchronization

/// Keeps the newest lines of the log for one who takes them later, such as the sender of `bridge/<bridge>/log`.
///
/// Lines come from any thread. Of too many the oldest are dropped and counted.
package final class LogFeed: Sendable {
    /// Some lines, the oldest first.
    package struct Excerpt: Sendable {
        /// The lines, each with its time, level and message, and what it is about.
        package var lines: [LogRecord] = []
        /// How many lines were left out before them.
        package var dropped = 0
        /// Whether there are more.
        package var hasMore = false
    }

    private struct State {
        var lines: [LogRecord] = []
        var dropped = 0
        /// Nil while no line is wanted.
        var wake: (@Sendable () -> Void)?
        /// Whether it was said that there are lines, and they are not all taken yet.
        var isAwake = false
        /// The thread whose lines are left out now.
        var silentThread: pthread_t?

        var isSilent: Bool { silentThread.map { pthread_equal($0, pthread_self()) != 0 } ?? false }
    }

    /// How many lines wait.
    static let capacity = 200

    private let state = Mutex(State())

    /// Begins to keep lines, or ends with what is kept.
    ///
    /// - Parameter wake: Called on any thread when there is a line and all before were taken.
    func follow(_ wake: (@Sendable () -> Void)?) {
        state.withLock { $0 = State(wake: wake, silentThread: $0.silentThread) }
    }

    func add(_ record: LogRecord) {
        let wake = state.withLock { state -> (@Sendable () -> Void)? in
            guard let wake = state.wake, !state.isSilent else { return nil }
            if state.lines.count >= Self.capacity {
                state.lines.removeFirst()
                state.dropped += 1
            }
            state.lines.append(record)
            guard !state.isAwake else { return nil }
            state.isAwake = true
            return wake
        }
        wake?()
    }

    /// Takes at most so many lines.
    package func take(_ count: Int) -> Excerpt {
        state.withLock { state in
            let excerpt = Excerpt(
                lines: Array(state.lines.prefix(count)), dropped: state.dropped,
                hasMore: state.lines.count > count)
            state.lines.removeFirst(excerpt.lines.count)
            state.dropped = 0
            state.isAwake = excerpt.hasMore
            return excerpt
        }
    }

    /// Does something, and keeps no line that this thread logs meanwhile.
    package func ignoring(_ body: () -> Void) {
        state.withLock { $0.silentThread = pthread_self() }
        body()
        state.withLock { $0.silentThread = nil }
    }
}
