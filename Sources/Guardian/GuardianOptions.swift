import Glibc
package import HostServices
package import Logging

/// What a guardian process is told on its command line.
package struct GuardianOptions: Hashable, Sendable {
    /// The first argument of a process that is to be a guardian.
    static let command = "guardian"
    /// How long it goes on under systemd, whose `ExecStopPost` then does: less than the unit's `TimeoutStopSec`.
    package static let timeUnderSystemd = Duration.seconds(10)
    /// How long it goes on without a successor.
    package static let timeAlone = Duration.seconds(60)

    /// The bus on which bluetoothd is, as the configuration names it.
    var bus: String
    /// The runtime directory, in which wills and lock lie; empty for none.
    var folder: String
    /// How long it tries to make a device safe before it says that it cannot.
    var time: Duration
    /// The bridge's process.
    var bridge: pid_t = getpid()
    /// From which level on it says something.
    var logLevel: Logger.Level
    /// How it says it.
    var logFormat: LogFormat

    package init(bus: String, folder: String, time: Duration, logLevel: Logger.Level, logFormat: LogFormat) {
        self.bus = bus
        self.folder = folder
        self.time = time
        self.logLevel = logLevel
        self.logFormat = logFormat
    }

    /// Reads what stands behind the program's name; nil if it is not a guardian's.
    package init?(_ arguments: some Collection<String>) {
        let words = Array(arguments)
        guard words.count == 7, words[0] == Self.command, let time = Int(words[3]),
            let bridge = pid_t(words[4]), let level = Logger.Level(rawValue: words[5]),
            let format = LogFormat(rawValue: words[6])
        else { return nil }
        self.init(
            bus: words[1], folder: words[2], time: .seconds(time), logLevel: level, logFormat: format)
        self.bridge = bridge
    }

    /// What stands behind the program's name.
    var arguments: [String] {
        [
            Self.command, bus, folder, "\(time.components.seconds)", "\(bridge)", logLevel.rawValue,
            logFormat.rawValue,
        ]
    }

    /// Where the wills lie; nil for nowhere.
    var file: WillFile? { folder.isEmpty ? nil : WillFile(folder: folder) }
    /// What keeps a starting bridge off while a guardian is at work; nil where there is no place for it.
    var lock: GuardianLock? { folder.isEmpty ? nil : GuardianLock(folder: folder) }
}
