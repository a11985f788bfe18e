import Glibc
import Synchronization

/// Keeps the newest lines of the log for a consumer such as the publisher of `bridge/<bridge>/log`.
///
/// Lines may come from any thread. If too many lines wait, the oldest lines are dropped and counted.
package final class LogFeed: Sendable {
    /// The result of one call of ``take(_:)``.
    package struct Excerpt: Sendable {
        /// The lines, each with time, level, message and metadata.
        package var lines: [LogRecord] = []
        /// The number of lines that were dropped before these lines.
        package var dropped = 0
        /// Whether more lines wait to be taken.
        package var hasMore = false
    }

    private struct State {
        var lines: [LogRecord] = []
        var dropped = 0
        /// The handler that is called for new lines; nil while no lines are kept.
        var wake: (@Sendable () -> Void)?
        /// Whether `wake` was called and the lines that caused the call still wait.
        var isAwake = false
        /// The thread whose lines are currently ignored.
        var silentThread: pthread_t?

        var isSilent: Bool { silentThread.map { pthread_equal($0, pthread_self()) != 0 } ?? false }
    }

    /// The maximum number of waiting lines.
    static let capacity = 200

    private let state = Mutex(State())

    /// Starts to keep lines; stops if `wake` is nil.
    ///
    /// - Parameter wake: Called on any thread when a line is added while no other line waits.
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

    /// Removes and returns at most `count` lines.
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

    /// Runs a closure; lines that the calling thread logs in the closure are not kept.
    package func ignoring(_ body: () -> Void) {
        state.withLock { $0.silentThread = pthread_self() }
        body()
        state.withLock { $0.silentThread = nil }
    }
}
