public import DeviceKit
public import Logging

/// The process that the bridge runs in.
public protocol HostProcess: Sendable {
    /// The memory in use, in bytes; nil if it is unknown.
    var memory: Int? { get }
    /// Returns free memory to the system; may take several milliseconds.
    func returnFreeMemory()
    /// The lowest level that is logged; can be changed at any time.
    var logLevel: Logger.Level { get nonmutating set }
    /// Returns the lowest level that is logged for a subsystem. It applies until ``logLevel`` is set.
    func logLevel(of subsystem: LogSubsystem) -> Logger.Level
    /// Sets the lowest level that is logged for a subsystem.
    func setLogLevel(_ level: Logger.Level, of subsystem: LogSubsystem)
    /// Keeps the newest log lines from a level on for ``takeLog(atMost:)``, up to a limit; nil keeps none.
    ///
    /// - Parameter wake: Called on any thread when a line is added while no other line waits.
    func followLog(from level: Logger.Level?, wake: @escaping @Sendable () -> Void)
    /// Removes and returns at most `count` of the kept lines.
    func takeLog(atMost count: Int) -> LogExcerpt
    /// Runs a closure. Log lines that this thread writes while the closure runs are not kept for ``takeLog(atMost:)``.
    func withoutLog(_ body: () -> Void)
}

/// A line of the log.
public struct LogLine: Hashable, Sendable {
    /// When the line was logged.
    public var time: TimeStamp
    /// The severity of the line.
    public var level: Logger.Level
    /// What happened, in words.
    public var message: String
    /// The metadata of the line, by key.
    public var details: [String: String]

    /// Creates a line.
    public init(time: TimeStamp, level: Logger.Level, message: String, details: [String: String] = [:]) {
        self.time = time
        self.level = level
        self.message = message
        self.details = details
    }
}

/// Lines of the log, the oldest first.
public struct LogExcerpt: Hashable, Sendable {
    /// The lines.
    public var lines: [LogLine]
    /// The number of lines that were dropped before these lines, because too many lines waited.
    public var dropped: Int
    /// Whether further lines wait after these.
    public var hasMore: Bool

    /// Creates an excerpt.
    public init(lines: [LogLine] = [], dropped: Int = 0, hasMore: Bool = false) {
        self.lines = lines
        self.dropped = dropped
        self.hasMore = hasMore
    }
}
