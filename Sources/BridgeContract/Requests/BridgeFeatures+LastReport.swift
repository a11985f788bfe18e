import DeviceKit
import JSON

extension BridgeFeatures {
    /// The arguments of `last_report`.
    package struct LastReport: Sendable {
        package var device = ""
        /// The name of the stream whose newest message is requested.
        package var feature = ""
    }

    package static let lastReport = RequestHandle(
        .lastReport,
        "Answers with the newest value of a stream, such as a belt's orientation, and its time; also for a device "
            + "that is offline.",
        takes: Taking(
            LastReport(),
            [
                .field("device", \.device, .text(1...256), required: true, "The device's name."),
                .field(
                    "feature", \.feature, .text(1...64), required: true, "The name of a stream of the device."
                ),
            ],
            answers: [
                Field("device", .text(1...Int.max), "The device's name."),
                Field("feature", .text(1...64), "The name of the stream."),
                Field("value", .any, "The newest value; null if none was received since the bridge started."),
                Field(
                    "published_at", .time, nullable: true, "When it was received; null if none was received."),
            ], example: .object(LastReport(device: "belt", feature: "orientation"))))
}
