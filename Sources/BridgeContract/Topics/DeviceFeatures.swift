package import DeviceKit
import JSON

/// The features of every device, in addition to those of its family; sessions publish them.
package enum DeviceFeatures {
    /// The features, the most useful first.
    package static let all = [availability, connection, lastSeen, features, info, result]

    /// The optional fields of the answer to any command of a device.
    package static var commandAnswers: [Field] { AnswerFields.command }

    /// The name of the feature on which the results of commands are published.
    package static var resultName: String { result.name }
    /// The name of the feature that describes the other features.
    package static var featuresName: String { features.name }

    private static let availability = Feature(
        "availability",
        "Whether the device is online; it is available only while its bridge is online too.",
        report: Report(.state, .choice(["online", "offline"]), example: "online"),
        shown: [
            .reading(
                "Available", meaning: .connectivity, purpose: .diagnosis, offline: true)
        ])

    private static let connection = Feature(
        "connection", "The state of the link between bridge and device, and advice for you.",
        report: Report(
            .state,
            [
                Field(
                    "state",
                    .choice([
                        "disconnected", "searching", "connecting", "pairing", "preparing", "connected",
                        "error",
                    ]), "The state of the link."),
                Field("bridge", .text(0...Int.max), "The id of the bridge that publishes for the device."),
                Field("address", .form(.address, 17...17), "The device's Bluetooth address."),
                Field(
                    "configured", .boolean,
                    "Whether it is in that bridge's configuration, so that it always keeps its name."),
                Field(
                    "bluetooth_adapter", .text(0...Int.max), nullable: true,
                    "The adapter that holds the link."),
                Field(
                    "rssi", .integer(-128...20), unit: "dBm", nullable: true,
                    "The signal strength when it was last measured."),
                Field(
                    "rssi_time", .time, nullable: true,
                    "When it was measured. While it has a link, this is possible only if the device advertises anyway, or "
                        + "if the host measures the link."),
                Field("since", .time, "When the state or the availability last changed."),
                Field(
                    "attempt", .integer(0...Int.max), "The number of consecutive failed connection attempts."),
                Field("reason", .text(0...Int.max), nullable: true, "Why it is not connected."),
                Field(
                    "reason_code", .choice(LinkReason.allCases.map(\.rawValue)), nullable: true,
                    "The same as a code."),
                Field("advice", .text(0...Int.max), nullable: true, "The recommended action."),
                Field(
                    "advice_code", .choice(LinkAdvice.allCases.map(\.rawValue)), nullable: true,
                    "The same as a code."),
                Field("next_attempt", .time, nullable: true, "When the bridge tries again."),
            ],
            example: [
                "state": "searching", "bridge": "attic", "address": "AA:BB:CC:DD:EE:FF",
                "configured": true, "bluetooth_adapter": nil, "rssi": nil, "rssi_time": nil,
                "since": "2026-01-31T12:00:00.000Z", "attempt": 2,
                "reason": "the device did not answer: it is out of range or switched off",
                "reason_code": "unreachable", "advice": nil, "advice_code": nil,
                "next_attempt": "2026-01-31T12:00:08.000Z",
            ]),
        shown: [
            .reading(
                "Connection", of: "state", purpose: .diagnosis, icon: "bluetooth-connect", offline: true),
            .reading("Connection advice", of: "advice", purpose: .diagnosis, icon: "lifebuoy", offline: true),
            .reading("Signal strength", of: "rssi", purpose: .diagnosis, hidden: true),
            .reading(
                "Bridge", of: "bridge", purpose: .diagnosis, icon: "bridge", hidden: true, offline: true),
        ])

    private static let lastSeen = Feature(
        "last_seen",
        "When the device was last in range; published once a minute while it is in range, and when its link is lost.",
        report: Report(.state, .time, example: "2026-01-31T12:00:00.000Z"),
        shown: [.reading("Last seen", purpose: .diagnosis, offline: true)])

    private static let features = Feature(
        "features",
        "The features of the device: one entry each, with its topics; `family` names the message that describes them, "
            + "for all devices of the family.",
        report: Report(
            .state, .any,
            example: [
                "family": ["name": "belt", "topic": "bridge/attic/features/belt"],
                "battery": ["kind": "state", "topic": "belt/battery"],
                "intensity": [
                    "kind": "state", "topic": "belt/intensity", "set": ["topic": "belt/intensity/set"],
                ],
                "notify": ["kind": "command", "set": ["topic": "belt/notify/set"]],
            ]))

    private static let info = Feature(
        "info", "Information about the device; null if the device does not report it.",
        report: Report(
            .state,
            [
                Field("family", .text(0...Int.max), "Its family."),
                Field("name", .text(0...Int.max), nullable: true, "The name that it advertises."),
                Field("address", .form(.address, 17...17), "Its Bluetooth address."),
                Field("manufacturer", .text(0...Int.max), nullable: true, "Its manufacturer."),
                Field("model", .text(0...Int.max), nullable: true, "Its model."),
                Field("hardware", .text(0...Int.max), nullable: true, "Its hardware revision."),
                Field("firmware", .text(0...Int.max), nullable: true, "Its firmware version."),
                Field("serial", .text(0...Int.max), nullable: true, "Its serial number."),
                Field("bootloader", .text(0...Int.max), "The version of its bootloader, if reported."),
                Field(
                    "model_version", .text(0...Int.max),
                    "The version of its recognition model, if reported."),
                Field(
                    "second_firmware", .text(0...Int.max),
                    "The firmware version of its second processor, if reported."),
            ],
            example: [
                "family": "belt", "name": "naviGürtel", "address": "AA:BB:CC:DD:EE:FF",
                "manufacturer": nil, "model": nil, "hardware": nil, "firmware": "48", "serial": nil,
            ]))

    private static let result = Feature(
        "result",
        "The result of a command: of each error, and of a success unless only the newest value counts.",
        report: Report(
            .event,
            [Field("feature", .text(0...Int.max), "The feature of the command.")] + AnswerFields.all
                + AnswerFields.command,
            example: [
                "feature": "intensity", "status": "error", "code": "out_of_range",
                "message": "intensity: a whole number 5...100, got 400", "time": "2026-01-31T12:00:00.000Z",
                "seq": 7,
            ]))
}
