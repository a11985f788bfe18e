import DeviceKit
import JSON
package import Logging

extension BridgeFeatures {
    /// The stream of log lines, `bridge/<bridge>/log`; off unless `log.mqtt` is a level.
    package static let logName = "log"

    /// The lowest levels that may be published. Typed text is logged at `trace`, which stays on the host.
    package static let logLevels: [Logger.Level] = [.error, .warning, .notice, .info, .debug]

    static let log = Feature(
        logName,
        "The lines of the log from the level on that log.mqtt names, 50 a second at most; none by default.",
        report: Report(
            .stream,
            [
                Field("time", .time, "When it was logged."),
                Field("level", .choice(Logger.Level.allCases.map(\.rawValue)), "How much it matters."),
                Field("message", .text(0...Int.max), "What happened."),
                Field("device", .text(0...Int.max), "The name of the device that it is about."),
                Field("details", .any, "What it is about besides: texts by key."),
                Field("dropped", .integer(1...Int.max), "How many lines were left out before this one."),
            ],
            example: [
                "time": "2026-01-31T12:00:00.000Z", "level": "info", "message": "link lost", "device": "belt",
                "details": ["part": "bridge", "reason": "out of reach", "was_ready": "true"],
            ],
            alternatives: [
                [
                    "time": "2026-01-31T12:00:00.000Z", "level": "warning", "message": "broker lost",
                    "details": [:], "dropped": 12,
                ]
            ]))
}
