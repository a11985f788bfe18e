package import BridgeContract
import DeviceKit
import JSON
package import Logging

/// The part of the log that is published to the broker, and the levels at which repeated failures are logged.
package struct LogOutlet: Sendable {
    /// How long lines are collected, and how many are published then: at most 50 a second.
    package static let interval = Duration.milliseconds(200)
    package static let batch = 10

    /// Failed commands without a device to answer them.
    package var failures = FailureLog()
    package var refusedRequests = FailureLog()
    /// Refused roster messages.
    package var refusedEntries = FailureLog()
    /// Answers that the broker refuses.
    package var refusedAnswers = FailureLog()
    /// Names that start with the name of another bridge's family.
    package var misplacedNames = FailureLog()
    private var hasWarnedOfTrace = false

    package init() {}

    /// Whether to warn about the contents of a log at this level; at most once per process.
    ///
    /// - Parameter logsTyping: Whether the configuration allows typed text in the log.
    package mutating func warnsOfTrace(at level: Logger.Level, logsTyping: Bool) -> Bool {
        guard level == .trace, logsTyping, !hasWarnedOfTrace else { return false }
        hasWarnedOfTrace = true
        return true
    }

    /// Returns the payload of a line.
    ///
    /// - Parameter dropped: The number of lines dropped before it.
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
