package import BridgeContract
import DeviceKit
import JSON
package import Logging

/// What of the log goes to the broker, and what is logged how loudly.
package struct LogOutlet: Sendable {
    /// How long lines wait for others, and how many are published then: 50 a second at most.
    package static let interval = Duration.milliseconds(200)
    package static let batch = 10

    /// The failed commands that no device answers.
    package var failures = FailureLog()
    /// The requests that are refused.
    package var refusedRequests = FailureLog()
    /// The messages of the roster that are refused.
    package var refusedEntries = FailureLog()
    /// The answers that the broker refuses.
    package var refusedAnswers = FailureLog()
    /// The names at the roots of families of other bridges.
    package var misplacedNames = FailureLog()
    private var hasWarnedOfTrace = false

    package init() {}

    /// Whether to say what a log at this level reveals: once in the bridge's life.
    ///
    /// - Parameter logsTyping: Whether the configuration lets what people type be logged.
    package mutating func warnsOfTrace(at level: Logger.Level, logsTyping: Bool) -> Bool {
        guard level == .trace, logsTyping, !hasWarnedOfTrace else { return false }
        hasWarnedOfTrace = true
        return true
    }

    /// The payload of a line.
    ///
    /// - Parameter dropped: How many lines were left out before it.
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
