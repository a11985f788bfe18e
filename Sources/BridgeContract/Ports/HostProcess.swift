public import DeviceKit
public import Logging

/// What the bridge can ask of the process that it is.
public protocol HostProcess: Sendable {
    /// How many bytes of memory the process has in use; nil where that cannot be known.
    var memory: Int? { get }
    /// Gives memory that is free back to the system, which may take some milliseconds.
    func returnFreeMemory()
    /// From which level on something is logged; can be changed at any time.
    var logLevel: Logger.Level { get nonmutating set }
    /// From which level on lines of a kind are logged; can be changed at any time, until ``logLevel`` is set.
    func logLevel(of subsystem: LogSubsystem) -> Logger.Level
    /// Changes from which level on lines of a kind are logged.
    func setLogLevel(_ level: Logger.Level, of subsystem: LogSubsystem)
    /// Keeps the lines of the log from a level on for ``takeLog(atMost:)``, or none; a bounded number, the newest.
    ///
    /// - Parameter wake: Called on any thread when there is a line and all before were taken.
    func followLog(from level: Logger.Level?, wake: @escaping @Sendable () -> Void)
    /// Takes at most so many of the lines that are kept.
    func takeLog(atMost count: Int) -> LogExcerpt
    /// Does something, and keeps no line that this thread logs meanwhile.
    func withoutLog(_ body: () -> Void)
}

/// A line of the log.
public struct LogLine: Hashable, Sendable {
    /// When it was logged.
    public var time: TimeStamp
    /// How much it matters.
    public var level: Logger.Level
    /// What happened.
    public var message: String
    /// What it is about: the metadata, by key.
    public var details: [String: String]

    /// Makes a line.
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
    /// How many were left out before them, since too many came.
    public var dropped: Int
    /// Whether there are more.
    public var hasMore: Bool

    /// Makes an excerpt.
    public init(lines: [LogLine] = [], dropped: Int = 0, hasMore: Bool = false) {
        self.lines = lines
        self.dropped = dropped
        self.hasMore = hasMore
    }
}
