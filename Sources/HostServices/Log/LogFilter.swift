package import DeviceKit
package import Logging

/// The rules for which lines of the log are written. Errors are always written.
package struct LogFilter: Hashable, Sendable {
    /// The lowest level that is written.
    package var level: Logger.Level
    /// The subsystems that are written; all if it is empty.
    package var only: Set<LogSubsystem> = []
    /// The levels of single subsystems, which override ``level`` and ``only``.
    package var levels: [LogSubsystem: Logger.Level] = [:]

    package init(level: Logger.Level, only: Set<LogSubsystem> = []) {
        self.level = level
        self.only = only
    }

    /// Whether all subsystems have the same level.
    var isPlain: Bool { only.isEmpty && levels.isEmpty }

    /// The lowest level of any subsystem.
    var lowest: Logger.Level { levels.values.reduce(level, min) }

    /// The lowest level that is written for a subsystem.
    func level(of subsystem: LogSubsystem) -> Logger.Level {
        levels[subsystem] ?? (isListed(subsystem) ? level : max(level, .error))
    }

    /// Returns whether lines of a subsystem are written.
    func isListed(_ subsystem: LogSubsystem) -> Bool {
        only.isEmpty || only.contains(subsystem) || levels[subsystem] != nil
    }

    /// Returns whether a line with a level and a subsystem is written.
    func admits(_ level: Logger.Level, of subsystem: LogSubsystem) -> Bool {
        level >= min(self.level(of: subsystem), .error)
    }
}

extension LogSubsystem {
    /// Determines the subsystem of a line.
    ///
    /// - Parameters:
    ///   - source: The source of the line; by default its module.
    ///   - part: The part of the program whose logger wrote the line.
    init(source: String, part: Logger.MetadataValue?) {
        switch part {
        case nil: self = Self(rawValue: source) ?? .bridge
        case let part?: self = Self(rawValue: source) ?? Self(rawValue: "\(part)") ?? .services
        }
    }
}
