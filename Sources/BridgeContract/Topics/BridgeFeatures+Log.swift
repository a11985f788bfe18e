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
        "The lines of the log at the level log.mqtt or higher, at most 50 a second; none by default.",
        report: Report(
            .stream,
            [
                Field("time", .time, "When it was logged."),
                Field("level", .choice(Logger.Level.allCases.map(\.rawValue)), "The level."),
                Field("message", .text(0...Int.max), "The text of the log line."),
                Field("device", .text(0...Int.max), "The name of the device, if the line is about a device."),
                Field("details", .any, "Further details: texts by key."),
                Field("dropped", .integer(1...Int.max), "How many lines were dropped before this line."),
            ],
            example: [
                "time": "2026-01-31T12:00:00.000Z", "level": "info", "message": "link lost", "device": "belt",
                "details": ["part": "bridge", "reason": "out of range", "was_ready": "true"],
            ],
            alternatives: [
                [
                    "time": "2026-01-31T12:00:00.000Z", "level": "warning", "message": "broker lost",
                    "details": [:], "dropped": 12,
                ]
            ]))
}
