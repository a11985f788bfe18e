import DeviceKit
import JSON

extension BridgeFeatures {
    static let drain = RequestHandle(
        .drain,
        "Lets every device go in good order and takes none, until undrain or a restart; joining is refused. Answered "
            + "when all links are closed.",
        takes: .nothing(answers: [
            Field(
                "devices", .list(.text(0...Int.max), count: 0...10_000),
                "The devices that had a link when it began.")
        ]))

    static let undrain = RequestHandle(
        .undrain, "Ends drain: the bridge takes devices again.",
        takes: .nothing(answers: [Field("was_draining", .boolean, "Whether the bridge was draining.")]))
}
