package import DeviceKit
import Glibc
import JSON
package import Logging
import Terminal

package enum LogFormat: String, Hashable, Sendable, CaseIterable {
    /// The format for users: time, level, message, `key=value`.
    case text
    /// The format for programs: one JSON object per line.
    case json
    /// The format for systemd's journal, which adds the time: `<6>message key=value`.
    case journald

    /// Returns a record as a line, with its line break.
    package func line(_ record: LogRecord) -> [UInt8] {
        let line =
            switch self {
            case .text: "\(record.time.local) \(record.level.padded) \(record.sentence)"
            case .json: record.object.description
            case .journald: "<\(record.level.priority)>\(record.sentence)"
            }
        return Array(line.utf8) + [0x0A]
    }
}

/// A line of the log before it is formatted.
package struct LogRecord: Sendable {
    package var time: TimeStamp
    package var level: Logger.Level
    package var message: String
    /// The metadata, with the device and the topic first.
    package var metadata: [(key: String, value: String)]

    init(time: TimeStamp, level: Logger.Level, message: String, metadata: Logger.Metadata) {
        self.time = time
        self.level = level
        self.message = message
        let first = ["device", "topic"]
        self.metadata = metadata.map { ($0.key, "\($0.value)") }.sorted { left, right in
            let (leftRank, rightRank) = (first.firstIndex(of: left.0), first.firstIndex(of: right.0))
            return (leftRank ?? first.count, left.0) < (rightRank ?? first.count, right.0)
        }
    }

    /// The message and its metadata in one line. Invisible characters are escaped, because names of devices are
    /// untrusted input.
    fileprivate var sentence: String {
        metadata.reduce(message.printable) { "\($0) \($1.key)=\(Self.quoted($1.value))" }
    }

    fileprivate var object: JSON.Value {
        var object: JSON.Object = [
            "time": .string(time.description), "level": .string(level.rawValue), "message": .string(message),
        ]
        for (key, value) in metadata { object[object[key] == nil ? key : "\(key)_"] = .string(value) }
        return .object(object)
    }

    private static func quoted(_ value: String) -> String {
        let isWord =
            !value.isEmpty && value.unicodeScalars.allSatisfy { $0 != " " && $0 != "\"" && !$0.isInvisible }
        return isWord ? value : JSON.Value.string(value).description
    }
}

extension Logger.Level {
    /// The name of the level, padded to the width of the longest name.
    fileprivate var padded: String {
        rawValue + String(repeating: " ", count: max(0, 8 - rawValue.count))
    }

    /// The level as a priority of syslog.
    fileprivate var priority: Int {
        switch self {
        case .critical: 2
        case .error: 3
        case .warning: 4
        case .notice: 5
        case .info: 6
        case .debug, .trace: 7
        }
    }
}

extension TimeStamp {
    /// The time in the host's time zone, for users: `2026-01-31 13:00:00.000`.
    fileprivate var local: String {
        var seconds = time_t(milliseconds / 1000)
        var parts = tm()
        guard localtime_r(&seconds, &parts) != nil else { return description }
        func digits(_ number: some BinaryInteger, _ count: Int) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, count - text.count)) + text
        }
        let date =
            "\(digits(parts.tm_year + 1900, 4))-\(digits(parts.tm_mon + 1, 2))-\(digits(parts.tm_mday, 2))"
        let time = "\(digits(parts.tm_hour, 2)):\(digits(parts.tm_min, 2)):\(digits(parts.tm_sec, 2))"
        return "\(date) \(time).\(digits(milliseconds % 1000, 3))"
    }
}
