import Glibc
package import HostServices
package import Logging

/// The command-line options of a guardian process.
package struct GuardianOptions: Hashable, Sendable {
    /// The first argument of a guardian process, which distinguishes the process from a bridge.
    static let command = "guardian"
    /// The time limit for making a device safe under systemd, whose `ExecStopPost` continues the work. It is less than
    /// the unit's `TimeoutStopSec`.
    package static let timeUnderSystemd = Duration.seconds(10)
    /// The time limit for making a device safe if no other process continues the work.
    package static let timeAlone = Duration.seconds(60)

    /// The D-Bus bus on which bluetoothd is, as in the configuration.
    var bus: String
    /// The runtime directory for the file of wills and the lock; empty for none.
    var folder: String
    /// The time limit for making a device safe, after which the guardian reports a failure.
    var time: Duration
    /// The process ID of the bridge.
    var bridge: pid_t = getpid()
    var logLevel: Logger.Level
    var logFormat: LogFormat

    package init(bus: String, folder: String, time: Duration, logLevel: Logger.Level, logFormat: LogFormat) {
        self.bus = bus
        self.folder = folder
        self.time = time
        self.logLevel = logLevel
        self.logFormat = logFormat
    }

    /// Parses the arguments after the program's name; nil if they are not a guardian's.
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

    /// The arguments that start a guardian with these options, after the program's name.
    var arguments: [String] {
        [
            Self.command, bus, folder, "\(time.components.seconds)", "\(bridge)", logLevel.rawValue,
            logFormat.rawValue,
        ]
    }

    /// The file of wills; nil without a runtime directory.
    var file: WillFile? { folder.isEmpty ? nil : WillFile(folder: folder) }
    /// The lock that delays a starting bridge while a guardian is working; nil without a runtime directory.
    var lock: GuardianLock? { folder.isEmpty ? nil : GuardianLock(folder: folder) }
}
