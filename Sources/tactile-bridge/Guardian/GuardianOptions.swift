import Logging

/// What a guardian process is told on its command line.
struct GuardianOptions: Hashable, Sendable {
    /// The first argument of a process that is to be a guardian.
    static let command = "guardian"

    /// The bus on which bluetoothd is, as the configuration names it.
    var bus: String
    /// Where the wills lie; empty for nowhere.
    var file: String
    /// From which level on it says something.
    var logLevel: Logger.Level
    /// How it says it.
    var logFormat: LogFormat

    init(bus: String, file: String, logLevel: Logger.Level, logFormat: LogFormat) {
        self.bus = bus
        self.file = file
        self.logLevel = logLevel
        self.logFormat = logFormat
    }

    /// Reads what stands behind the program's name; nil if it is not a guardian's.
    init?(_ arguments: some Collection<String>) {
        let words = Array(arguments)
        guard words.count == 5, words[0] == Self.command, let level = Logger.Level(rawValue: words[3]),
            let format = LogFormat(rawValue: words[4])
        else { return nil }
        self.init(bus: words[1], file: words[2], logLevel: level, logFormat: format)
    }

    /// What stands behind the program's name.
    var arguments: [String] { [Self.command, bus, file, logLevel.rawValue, logFormat.rawValue] }
}
