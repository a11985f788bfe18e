import DeviceKit
import JSON

extension BridgeFeatures {
    static let drain = RequestHandle(
        .drain,
        "Disconnects every device cleanly and connects none, until undrain or a restart; joining is refused. Answered "
            + "when all links are closed.",
        takes: .nothing(answers: [
            Field(
                "devices", .list(.text(0...Int.max), count: 0...10_000),
                "The devices that had a link when draining started.")
        ]))

    static let undrain = RequestHandle(
        .undrain, "Ends drain: the bridge connects devices again.",
        takes: .nothing(answers: [Field("was_draining", .boolean, "Whether the bridge was draining.")]))
}
