import DeviceKit
import JSON

// The newest message of a stream, for those who did not listen when it was published.
extension Bridge {
    static let lastReportRequest = Feature(
        "last_report",
        "Answers with the newest value of a stream, such as a belt's orientation, and its time; also for a device that "
            + "is away.",
        command: Command(
            [
                Field("device", .text(1...256), required: true, "The device's name."),
                Field("feature", .text(1...64), required: true, "The name of a stream of the device."),
            ],
            answers: [
                Field("device", .text(1...Int.max), "The device's name."),
                Field("feature", .text(1...64), "The name of the stream."),
                Field("value", .any, "The newest value; null if none came since the bridge started."),
                Field("published_at", .time, nullable: true, "When it came; null if none came."),
            ], example: ["device": "belt", "feature": "orientation"]))

    func lastReport(_ arguments: Arguments) throws(CommandError) -> JSON.Object {
        let session = try device(of: arguments)
        let feature = arguments.text("feature") ?? ""
        let streams = session.family.features.filter { $0.report?.kind == .stream && !$0.isPrivate }
        guard streams.contains(where: { $0.name == feature }) else {
            throw CommandError.unknown(.unknownFeature, feature, among: streams.map(\.name))
        }
        let newest = session.publisher.newest(feature)
        return [
            "device": .string(session.name), "feature": .string(feature), "value": newest?.value ?? .null,
            "published_at": newest.map { .string($0.time.description) } ?? .null,
        ]
    }
}
