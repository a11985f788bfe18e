public import BridgeContract
public import DeviceKit
public import Logging
import Synchronization

/// A process that a test makes up.
public final class FakeHostProcess: HostProcess {
    private let returns = Mutex(0)
    private struct Feed {
        var level: Logger.Level?
        var wake: (@Sendable () -> Void)?
        var lines: [LogLine] = []
        var dropped = 0
        var isSilent = false
    }

    private let level = Mutex(Logger.Level.info)
    private let levels = Mutex<[LogSubsystem: Logger.Level]>([:])
    private let feed = Mutex(Feed())

    /// Makes a process that has 24 MB in use.
    public init() {}

    /// Always the same.
    public var memory: Int? { 24_000_000 }

    /// How often free memory was given back.
    public var returnCount: Int { returns.withLock(\.self) }

    /// Counts.
    public func returnFreeMemory() { returns.withLock { $0 += 1 } }

    /// What was set last.
    public var logLevel: Logger.Level {
        get { level.withLock(\.self) }
        set { level.withLock { $0 = newValue } }
    }

    /// What was set last, for this kind or for all.
    public func logLevel(of subsystem: LogSubsystem) -> Logger.Level {
        levels.withLock { $0[subsystem] } ?? logLevel
    }

    /// Keeps it.
    public func setLogLevel(_ level: Logger.Level, of subsystem: LogSubsystem) {
        levels.withLock { $0[subsystem] = level }
    }

    /// From which level on lines are wanted; nil for none.
    public var followedLevel: Logger.Level? { feed.withLock(\.level) }

    /// Logs lines as other parts of the process do; nothing hears them while no line is wanted.
    ///
    /// - Parameter dropped: How many were left out before them.
    public func log(_ lines: [LogLine], dropped: Int = 0) {
        let wake = feed.withLock { feed -> (@Sendable () -> Void)? in
            guard feed.level != nil, !feed.isSilent else { return nil }
            defer {
                feed.lines += lines
                feed.dropped += dropped
            }
            return feed.lines.isEmpty ? feed.wake : nil
        }
        wake?()
    }

    /// Keeps what ``log(_:dropped:)`` is told.
    public func followLog(from level: Logger.Level?, wake: @escaping @Sendable () -> Void) {
        feed.withLock { ($0.level, $0.wake) = (level, wake) }
    }

    /// Takes lines.
    public func takeLog(atMost count: Int) -> LogExcerpt {
        feed.withLock { feed in
            let excerpt = LogExcerpt(
                lines: Array(feed.lines.prefix(count)), dropped: feed.dropped,
                hasMore: feed.lines.count > count)
            feed.lines.removeFirst(excerpt.lines.count)
            feed.dropped = 0
            return excerpt
        }
    }

    /// Keeps nothing meanwhile.
    public func withoutLog(_ body: () -> Void) {
        feed.withLock { $0.isSilent = true }
        body()
        feed.withLock { $0.isSilent = false }
    }
}
