import DeviceKit
import JSON

extension BridgeFeatures {
    /// The topic by which other clients detect a bridge that died without a last will.
    package static let heartbeatName = "heartbeat"

    static let heartbeat = Feature(
        heartbeatName,
        "When the bridge said last that it is there, every bridge.heartbeat_s; none if that is 0. A broker that dies "
            + "together with a bridge does not publish the bridge's last will: `availability` stays `online` then, and "
            + "this grows old.",
        report: Report(
            .state,
            [
                Field("time", .time, "When it was said."),
                Field("interval_s", .integer(1...3600), unit: "s", "After which time it is said again."),
            ],
            example: ["time": "2026-01-31T12:00:00.000Z", "interval_s": 30]))
}
