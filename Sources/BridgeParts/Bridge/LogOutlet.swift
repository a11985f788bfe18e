package import BridgeContract
import DeviceKit
import JSON
package import Logging

/// The part of the log that is published to the broker, and the levels at which repeated failures are logged.
package struct LogOutlet: Sendable {
    /// How long log lines are collected before at most ``batch`` of them are published: at most 50 lines a second.
    package static let interval = Duration.milliseconds(200)
    package static let batch = 10

    /// Limits the log lines about failed commands that no device answers.
    package var failures = FailureLog()
    package var refusedRequests = FailureLog()
    /// Limits the log lines about refused roster messages.
    package var refusedEntries = FailureLog()
    /// Limits the log lines about answers that the broker refuses.
    package var refusedAnswers = FailureLog()
    /// Limits the log lines about names that start with the name of another bridge's family.
    package var misplacedNames = FailureLog()
    private var hasWarnedOfTrace = false

    package init() {}

    /// Whether to warn that a log at this level contains typed text; true at most once per process.
    ///
    /// - Parameter logsTyping: Whether the configuration allows typed text in the log.
    package mutating func warnsOfTrace(at level: Logger.Level, logsTyping: Bool) -> Bool {
        guard level == .trace, logsTyping, !hasWarnedOfTrace else { return false }
        hasWarnedOfTrace = true
        return true
    }

    /// Returns the payload of a log line.
    ///
    /// - Parameter dropped: The number of log lines that were dropped before this line.
    package static func payload(_ line: LogLine, dropped: Int) -> [UInt8] {
        var details = JSON.Object()
        for (key, value) in line.details.sorted(by: { $0.key < $1.key }) where key != "device" {
            details[key] = .string(value)
        }
        var object: JSON.Object = [
            "time": .string(line.time.description), "level": .string(line.level.rawValue),
            "message": .string(line.message),
        ]
        if let device = line.details["device"] { object["device"] = .string(device) }
        object["details"] = .object(details)
        if dropped > 0 { object["dropped"] = .integer(dropped) }
        return JSON.Value.object(object).bytes
    }
}
