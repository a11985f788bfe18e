package import DeviceKit
import Glibc
package import Logging
import Synchronization

/// Makes loggers and decides, for all of them and at any time, from which level on they say something.
package final class LogControl: Sendable {
    /// Takes finished lines.
    package typealias Sink = @Sendable (_ line: [UInt8]) -> Void

    /// The lines for the broker.
    package let feed = LogFeed()

    private let threshold: Atomic<Int>
    /// From which level on lines go to the feed; more than the highest for none.
    private let followed = Atomic(Logger.Level.inOrder.count)
    private let formatIndex: Atomic<Int>
    private let sink: Sink
    private let clock: @Sendable () -> TimeStamp

    /// - Parameters:
    ///   - sink: Where lines go; standard error if not given.
    ///   - clock: Where the time comes from.
    package init(
        level: Logger.Level, format: LogFormat, sink: @escaping Sink = StandardError().write,
        clock: @escaping @Sendable () -> TimeStamp = { .now }
    ) {
        threshold = Atomic(level.rank)
        formatIndex = Atomic(format.index)
        self.sink = sink
        self.clock = clock
    }

    /// From which level on something is said; can be changed while the loggers are in use.
    package var level: Logger.Level {
        get { Logger.Level.inOrder[threshold.load(ordering: .relaxed)] }
        set { threshold.store(newValue.rank, ordering: .relaxed) }
    }

    /// How lines look; can be changed while the loggers are in use.
    package var format: LogFormat {
        get { LogFormat.allCases[formatIndex.load(ordering: .relaxed)] }
        set { formatIndex.store(newValue.index, ordering: .relaxed) }
    }

    /// Keeps the lines from a level on in ``feed`` too, or none.
    ///
    /// - Parameter wake: Called on any thread when there is a line and all before were taken.
    package func follow(from level: Logger.Level?, wake: @escaping @Sendable () -> Void) {
        feed.follow(level == nil ? nil : wake)
        followed.store(level?.rank ?? Logger.Level.inOrder.count, ordering: .relaxed)
    }

    /// The lowest level that is wanted anywhere.
    fileprivate var lowest: Logger.Level {
        let rank = min(threshold.load(ordering: .relaxed), followed.load(ordering: .relaxed))
        return Logger.Level.inOrder[rank]
    }

    package func makeLogger(_ label: String = "tactile-bridge") -> Logger {
        Logger(label: label) { _ in LineLogHandler(control: self) }
    }

    /// - Parameter isForced: Whether the line is written whatever the common level is.
    fileprivate func write(
        _ level: Logger.Level, _ message: String, _ metadata: Logger.Metadata, isForced: Bool
    ) {
        let record = LogRecord(time: clock(), level: level, message: message, metadata: metadata)
        let rank = level.rank
        if isForced || rank >= threshold.load(ordering: .relaxed) { sink(format.line(record)) }
        if rank >= followed.load(ordering: .relaxed) { feed.add(record) }
    }
}

/// Hands one logger's events to the control that made it.
struct LineLogHandler: LogHandler {
    private let control: LogControl
    private var ownLevel: Logger.Level?

    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?

    init(control: LogControl) { self.control = control }

    /// The common level, unless this logger was given one of its own.
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
        control.write(event.level, "\(event.message)", all, isForced: ownLevel != nil)
    }
}

extension Logger.Level {
    /// All levels, made once: they are asked for before each line, whether it is written or not.
    fileprivate static let inOrder = allCases

    fileprivate var rank: Int { Self.inOrder.firstIndex(of: self) ?? 0 }
}

extension LogFormat {
    fileprivate var index: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

extension TimeStamp {
    /// The calendar's time.
    package static var now: TimeStamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return TimeStamp(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }
}
