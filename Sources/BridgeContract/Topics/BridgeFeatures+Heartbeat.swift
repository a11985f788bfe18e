import DeviceKit
import JSON

extension BridgeFeatures {
    /// The topic by which other clients detect a bridge that died without a last will.
    package static let heartbeatName = "heartbeat"

    static let heartbeat = Feature(
        heartbeatName,
        "A sign of life of the bridge, every bridge.heartbeat_s; none if that is 0. If the broker fails together with "
            + "the bridge, it does not publish the bridge's last will: `availability` stays `online`, and the "
            + "heartbeat becomes old.",
        report: Report(
            .state,
            [
                Field("time", .time, "When it was published."),
                Field("interval_s", .integer(1...3600), unit: "s", "The time until the next heartbeat."),
            ],
            example: ["time": "2026-01-31T12:00:00.000Z", "interval_s": 30]))
}
