package import DeviceKit
import JSON

// The messages between bridges about their devices.
extension BridgeFeatures {
    /// The last topic level of a bridge's offers. With an offer, the bridge announces that it is about to connect to a
    /// device.
    package static let offerName = Topics.offerName

    static let offer = Feature(
        Topics.offerName,
        "The bridge is about to connect to a device that other bridges receive too, or receives a connected device "
            + "better than the bridge that has it. A bridge with a clearly worse score leaves the device to it.",
        report: Report(
            .stream,
            [
                Field("address", .form(.address, 17...17), "The address of the device."),
                Field(
                    "score", .integer(-256...0), unit: "dBm",
                    "The expected quality of the link: the signal strength, less penalties for the host's adapter."
                ),
                Field(
                    "epoch", .integer(0...Int.max),
                    "The number of the device's last link that the bridge knows."),
            ],
            example: ["address": "AA:BB:CC:DD:EE:FF", "score": -61, "epoch": 7]))

    /// The first topic level of claims on devices.
    package static let claimRoot = Topics.claimRoot

    /// The messages that all bridges share: claims and the roster, each with its topic. In a topic, `{address}` is a
    /// placeholder for a device.
    package static let ofFleet: [(name: String, feature: Feature, topic: String)] = [
        ("claim", claim, "\(Topics.claimRoot)/{address}"),
        ("roster", roster, "\(Topics.rosterRoot)/{address}"),
        ("roster-groups", rosterGroups, "\(Topics.rosterRoot)/\(RosterGroups.key)"),
    ]

    private static let roster = Feature(
        Topics.rosterRoot,
        "The fleet's record of a device; the address in lower-case hex without colons. Written by bridges when "
            + "devices join, and by `fleet apply`.",
        report: Report(
            .state, .object(RosterReader.entry),
            example: [
                "v": 1, "name": "belt", "family": "belt", "settings": ["intent_s": 20],
                "preferred": ["attic"],
                "by": "attic", "time": "2026-01-31T12:00:00.000Z",
            ]))

    private static let rosterGroups = Feature(
        RosterGroups.key, "The groups of the fleet, for every bridge.",
        report: Report(
            .state, .object(RosterReader.groups),
            example: [
                "v": 1, "groups": ["wearers": ["belt", "hall/belt"]], "by": "fleet",
                "time": "2026-01-31T12:00:00.000Z",
            ]))

    /// Which bridge has a device, `claim/<address>`.
    package static let claim = Feature(
        Topics.claimRoot,
        "The bridge that has a device, or had it last; the address in lower-case hex without colons. The claim with "
            + "the highest epoch counts. For bridges; clients read `<device>/connection`.",
        report: Report(
            .state,
            [
                Field("v", .integer(1...Int.max), "The version of the message: 1."),
                Field("bridge", .text(1...Int.max), "The bridge's id."),
                Field(
                    "epoch", .integer(0...Int.max),
                    "The number of the link, counted over all hosts; each new link has a higher number."),
                Field(
                    "state", .choice(["linked", "released"]),
                    "Whether the bridge has the link, or had it and publishes for the device."),
                Field("since", .time, "When this state started."),
                Field("adapter", .text(1...Int.max), "The adapter of the link, by the host's name for it."),
                Field(
                    "name", .text(1...Int.max),
                    "The device's name, which is its topic; missing once another device has it."),
                Field("family", .text(1...Int.max), "The family of the device."),
                Field(
                    "configured", .boolean,
                    "True if the device is in the bridge's configuration, so that it keeps its name; otherwise missing."
                ),
                Field(
                    "score", .integer(-256...0), unit: "dBm",
                    "How well the bridge receives the device, in the unit of the score of an offer. Only for a device "
                        + "that advertises while it has a link."),
                Field(
                    "moves", .list(.time, count: 0...60),
                    "When the device moved to better hosts within the last hour."),
                Field(
                    "intent", .map(.any),
                    "The activity that the next bridge resumes: the values of features by their names."
                ),
            ],
            example: [
                "v": 1, "bridge": "attic", "epoch": 7, "state": "linked", "since": "2026-01-31T12:00:00.000Z",
                "adapter": "hci0", "name": "belt", "family": "belt",
                "intent": [
                    "navigation": [
                        "state": "navigating", "direction": 90, "reference": "magnetic",
                        "signal": "navigating",
                    ]
                ],
            ]))
}
