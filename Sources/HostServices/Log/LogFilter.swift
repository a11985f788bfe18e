package import DeviceKit
package import Logging

/// Which lines of the log are written. Errors always are.
package struct LogFilter: Hashable, Sendable {
    /// From which level on lines are written.
    package var level: Logger.Level
    /// The kinds of lines that are written; all if it is empty.
    package var only: Set<LogSubsystem> = []
    /// The levels of single kinds of lines, stronger than the two above.
    package var levels: [LogSubsystem: Logger.Level] = [:]

    package init(level: Logger.Level, only: Set<LogSubsystem> = []) {
        self.level = level
        self.only = only
    }

    /// Whether all kinds of lines are written from the same level on.
    var isPlain: Bool { only.isEmpty && levels.isEmpty }

    /// The lowest level of any kind of lines.
    var lowest: Logger.Level { levels.values.reduce(level, min) }

    /// From which level on lines of a kind are written.
    func level(of subsystem: LogSubsystem) -> Logger.Level {
        levels[subsystem] ?? (isListed(subsystem) ? level : max(level, .error))
    }

    /// Whether a kind of lines is among those that are written.
    func isListed(_ subsystem: LogSubsystem) -> Bool {
        only.isEmpty || only.contains(subsystem) || levels[subsystem] != nil
    }

    /// Whether a line is written.
    func admits(_ level: Logger.Level, of subsystem: LogSubsystem) -> Bool {
        level >= min(self.level(of: subsystem), .error)
    }
}

extension LogSubsystem {
    /// The kind of a line.
    ///
    /// - Parameters:
    ///   - source: What the line names as its source; the module if it names none.
    ///   - part: The part of the program whose logger wrote it.
    init(source: String, part: Logger.MetadataValue?) {
        switch part {
        case nil: self = Self(rawValue: source) ?? .bridge
        case let part?: self = Self(rawValue: source) ?? Self(rawValue: "\(part)") ?? .services
        }
    }
}
