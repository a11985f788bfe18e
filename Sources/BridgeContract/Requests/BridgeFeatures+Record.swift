import DeviceKit
import JSON

extension BridgeFeatures {
    /// The arguments of `record`.
    package struct Record: Sendable {
        /// The duration in seconds; 0 ends a recording.
        package var seconds = 60
        /// The names of the devices that are recorded; nil for all.
        package var devices: [String]?
        /// Whether to record what a person types, and the addresses of devices.
        package var isPrivate = false
    }

    package static let record = RequestHandle(
        .record,
        "Records the traffic between the bridge and its devices to a file on the bridge's host, at most 64 MB. A "
            + "second recording is refused while one is running.",
        takes: Taking(
            Record(),
            [
                .field(
                    "seconds", \.seconds, .integer(0...3600), unit: "s",
                    "The duration; 0 ends the running recording."),
                .field(
                    "devices", \.devices, .list(.text(1...256), count: 1...1000),
                    "The names of the devices that are recorded; all devices if omitted."),
                .field(
                    "private", \.isPrivate, .boolean,
                    "Whether typed text and the addresses of devices are recorded too."),
            ],
            shorthands: [.field(\.seconds)], empty: Record(), answers: recordAnswers,
            example: .object(Record(devices: ["belt"]), also: [\.seconds])))

    /// The fields of the answer for a recording that starts or has ended.
    private static let recordAnswers = [
        Field("path", .text(0...Int.max), "The file, on the bridge's host."),
        Field("seconds", .integer(0...3600), unit: "s", "The duration; 0 for a recording that has ended."),
        Field("until", .time, "When it ends automatically."),
        Field("private", .boolean, "Whether typed text and the addresses of devices are recorded."),
        Field(
            "standing", .list(.text(1...256), count: 0...10_000),
            "The devices that already had a link: the start of their links is not recorded."),
        Field("bytes", .integer(0...Int.max), unit: "B", "The size of the ended recording."),
        Field("lines", .integer(0...Int.max), "The number of lines of the ended recording."),
        Field("reason", .text(0...Int.max), "Why it ended."),
        Field("message", .text(0...Int.max), "The error of the disk, if it ended the recording."),
    ]
}
