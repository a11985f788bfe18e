import DeviceKit
import JSON

extension BridgeFeatures {
    static let drainRequest = Feature(
        .drain,
        "Lets every device go in good order and takes none, until undrain or a restart; joining is refused. Answered "
            + "when all links are closed.",
        command: Command(
            [], empty: [:],
            answers: [
                Field(
                    "devices", .list(.text(0...Int.max), count: 0...10_000),
                    "The devices that had a link when it began.")
            ], example: [:]))

    static let undrainRequest = Feature(
        .undrain, "Ends drain: the bridge takes devices again.",
        command: Command(
            [], empty: [:], answers: [Field("was_draining", .boolean, "Whether the bridge was draining.")],
            example: [:]))
}
