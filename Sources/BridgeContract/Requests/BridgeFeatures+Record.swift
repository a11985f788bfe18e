import DeviceKit
import JSON

extension BridgeFeatures {
    /// The arguments of `record`.
    package struct Record: Sendable {
        /// In seconds; 0 ends a recording.
        package var seconds = 60
        /// The names of the devices that are recorded; nil for all.
        package var devices: [String]?
        /// Whether to record what a person types, and the addresses of devices.
        package var isPrivate = false
    }

    package static let record = RequestHandle(
        .record,
        "Records what comes and goes between the bridge and its devices into a file on the bridge's host, "
            + "of 64 MB at most. A second recording is refused while one runs.",
        takes: Taking(
            Record(),
            [
                .field(
                    "seconds", \.seconds, .integer(0...3600), unit: "s",
                    "For how long; 0 ends a recording that runs."),
                .field(
                    "devices", \.devices, .list(.text(1...256), count: 1...1000),
                    "The names of the devices that are recorded; all if left out."),
                .field(
                    "private", \.isPrivate, .boolean,
                    "Whether what a person types is recorded too, and the addresses of devices."),
            ],
            shorthands: [.field(\.seconds)], empty: Record(), answers: recordAnswers,
            example: .object(Record(devices: ["belt"]), also: [\.seconds])))

    /// The fields of the answer for a recording that starts or has ended.
    private static let recordAnswers = [
        Field("path", .text(0...Int.max), "The file, on the bridge's host."),
        Field("seconds", .integer(0...3600), unit: "s", "For how long; 0 of a recording that has ended."),
        Field("until", .time, "When it ends by itself."),
        Field("private", .boolean, "Whether what a person types is recorded, and the addresses of devices."),
        Field(
            "standing", .list(.text(1...256), count: 0...10_000),
            "The devices that were linked already: the beginning of their links is not recorded."),
        Field("bytes", .integer(0...Int.max), unit: "B", "How large the ended recording is."),
        Field("lines", .integer(0...Int.max), "How many lines the ended recording has."),
        Field("reason", .text(0...Int.max), "Why it ended."),
        Field("message", .text(0...Int.max), "What the disk said where it ended the recording."),
    ]
}
