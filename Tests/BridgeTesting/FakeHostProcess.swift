public import BridgeContract
public import DeviceKit
public import Logging
import Synchronization

/// A host process for tests.
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

    /// Creates a process that uses 24 MB of memory.
    public init() {}

    /// A constant number of bytes.
    public var memory: Int? { 24_000_000 }

    /// The number of heap trims.
    public var returnCount: Int { returns.withLock(\.self) }

    /// Counts a heap trim.
    public func returnFreeMemory() { returns.withLock { $0 += 1 } }

    /// The log level that was set last.
    public var logLevel: Logger.Level {
        get { level.withLock(\.self) }
        set { level.withLock { $0 = newValue } }
    }

    /// The level that was set last for a subsystem, otherwise the common level.
    public func logLevel(of subsystem: LogSubsystem) -> Logger.Level {
        levels.withLock { $0[subsystem] } ?? logLevel
    }

    /// Sets the log level of a subsystem.
    public func setLogLevel(_ level: Logger.Level, of subsystem: LogSubsystem) {
        levels.withLock { $0[subsystem] = level }
    }

    /// The lowest level of the lines that the bridge follows; nil for none.
    public var followedLevel: Logger.Level? { feed.withLock(\.level) }

    /// Logs lines as other parts of the process do. They are dropped while the bridge does not follow the log.
    ///
    /// - Parameter dropped: The number of lines that were dropped before them.
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

    /// Follows the lines of ``log(_:dropped:)``.
    public func followLog(from level: Logger.Level?, wake: @escaping @Sendable () -> Void) {
        feed.withLock { ($0.level, $0.wake) = (level, wake) }
    }

    /// Returns waiting lines and removes them.
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

    /// Drops all lines that are logged during the body.
    public func withoutLog(_ body: () -> Void) {
        feed.withLock { $0.isSilent = true }
        body()
        feed.withLock { $0.isSilent = false }
    }
}
