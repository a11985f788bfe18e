package import DeviceKit
import Glibc
package import Logging
import Synchronization

/// Creates loggers, and controls which of their lines are written. The rules can be changed at any time.
package final class LogControl: Sendable {
    /// Receives complete log lines, each with its line break.
    package typealias Sink = @Sendable (_ line: [UInt8]) -> Void

    /// The newest lines, which are published on the broker.
    package let feed = LogFeed()

    private let filter: Mutex<LogFilter>
    /// The lowest level that is written, as an index, so that each log call can read it without a lock.
    private let threshold: Atomic<Int>
    /// Whether all subsystems have the same level, so that the filter ignores the subsystem of a line.
    private let isPlain: Atomic<Bool>
    /// The index of the lowest level for the feed; beyond the last index for no lines.
    private let followed = Atomic(Logger.Level.inOrder.count)
    private let formatIndex: Atomic<Int>
    private let sink: Sink
    private let clock: @Sendable () -> TimeStamp

    /// - Parameters:
    ///   - sink: Receives the lines; by default they go to standard error.
    ///   - clock: Returns the time of a line.
    package init(
        level: Logger.Level, format: LogFormat, only: Set<LogSubsystem> = [],
        sink: @escaping Sink = StandardError().write, clock: @escaping @Sendable () -> TimeStamp = { .now }
    ) {
        filter = Mutex(LogFilter(level: level, only: only))
        threshold = Atomic(level.rank)
        isPlain = Atomic(only.isEmpty)
        formatIndex = Atomic(format.index)
        self.sink = sink
        self.clock = clock
    }

    /// The lowest level that is written; setting it resets the levels of subsystems. Can be changed while the loggers
    /// are in use.
    package var level: Logger.Level {
        get { filter.withLock(\.level) }
        set { change { ($0.level, $0.levels) = (newValue, [:]) } }
    }

    /// The subsystems that are written, all if it is empty; can be changed while the loggers are in use.
    package var only: Set<LogSubsystem> {
        get { filter.withLock(\.only) }
        set { change { $0.only = newValue } }
    }

    /// The lowest level that is written for a subsystem; can be changed while the loggers are in use.
    package subscript(subsystem: LogSubsystem) -> Logger.Level {
        get { filter.withLock { $0.level(of: subsystem) } }
        set { change { $0.levels[subsystem] = newValue } }
    }

    private func change(_ body: (inout LogFilter) -> Void) {
        filter.withLock { filter in
            body(&filter)
            threshold.store(filter.lowest.rank, ordering: .relaxed)
            isPlain.store(filter.isPlain, ordering: .relaxed)
        }
    }

    /// The format of lines; can be changed while the loggers are in use.
    package var format: LogFormat {
        get { LogFormat.allCases[formatIndex.load(ordering: .relaxed)] }
        set { formatIndex.store(newValue.index, ordering: .relaxed) }
    }

    /// Also stores lines of at least a level in ``feed``; no lines if `level` is nil.
    ///
    /// - Parameter wake: Called on any thread when a line is added while no other line waits.
    package func follow(from level: Logger.Level?, wake: @escaping @Sendable () -> Void) {
        feed.follow(level == nil ? nil : wake)
        followed.store(level?.rank ?? Logger.Level.inOrder.count, ordering: .relaxed)
    }

    /// The lowest level that is written or stored in the feed.
    fileprivate var lowest: Logger.Level {
        let rank = min(threshold.load(ordering: .relaxed), followed.load(ordering: .relaxed))
        return Logger.Level.inOrder[rank]
    }

    package func makeLogger(_ label: String = "tactile-bridge") -> Logger {
        Logger(label: label) { _ in LineLogHandler(control: self) }
    }

    /// - Parameters:
    ///   - source: The source of the line.
    ///   - isForced: Whether the line is written regardless of the common level.
    fileprivate func write(
        _ level: Logger.Level, _ message: String, _ metadata: Logger.Metadata,
        source: @autoclosure () -> String, isForced: Bool
    ) {
        let rank = level.rank
        var (isWritten, isFollowed) = (
            rank >= threshold.load(ordering: .relaxed), rank >= followed.load(ordering: .relaxed)
        )
        if !isPlain.load(ordering: .relaxed) {
            let subsystem = LogSubsystem(source: source(), part: metadata["part"])
            filter.withLock { filter in
                isWritten = isWritten && filter.admits(level, of: subsystem)
                isFollowed = isFollowed && (level >= .error || filter.isListed(subsystem))
            }
        }
        guard isWritten || isForced || isFollowed else { return }
        let record = LogRecord(time: clock(), level: level, message: message, metadata: metadata)
        if isForced || isWritten { sink(format.line(record)) }
        if isFollowed { feed.add(record) }
    }
}

/// Passes the events of one logger to its ``LogControl``.
struct LineLogHandler: LogHandler {
    private let control: LogControl
    private var ownLevel: Logger.Level?

    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?

    init(control: LogControl) { self.control = control }

    /// The common level, unless this logger has its own level.
    var logLevel: Logger.Level {
        get { ownLevel ?? control.lowest }
        set { ownLevel = newValue }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var all = metadataProvider?.get() ?? [:]
        all.merge(metadata) { $1 }
        if let own = event.metadata { all.merge(own) { $1 } }
        if let error = event.error { all["error"] = "\(error)" }
        control.write(
            event.level, "\(event.message)", all, source: event.source, isForced: ownLevel != nil)
    }
}

extension Logger.Level {
    /// A stored copy of `allCases`, because `allCases` is computed at each use, and each log call needs the levels,
    /// even if the line is not written.
    fileprivate static let inOrder = allCases

    fileprivate var rank: Int { Self.inOrder.firstIndex(of: self) ?? 0 }
}

extension LogFormat {
    fileprivate var index: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

extension TimeStamp {
    /// The calendar time.
    package static var now: TimeStamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return TimeStamp(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }
}
