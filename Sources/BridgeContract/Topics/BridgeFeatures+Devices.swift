import DeviceKit
import JSON

// The devices of a bridge and their groups.
extension BridgeFeatures {
    static let devices = Feature(
        "devices", "The devices that the bridge manages.",
        report: Report(
            .state, .list(.object(listed), count: 0...10_000),
            example: [
                [
                    "name": "belt", "family": "belt", "display_name": "naviGuertel",
                    "address": "AA:BB:CC:DD:EE:FF",
                    "availability": "online",
                    "features": ["battery", "mode", "button", "intensity"], "no_offer": nil,
                ],
                [
                    "name": "robot", "family": "robot", "display_name": "ESP32_BLE_Controller",
                    "address": "AA:BB:CC:DD:EE:FE",
                    "availability": "offline", "features": ["status", "drive"], "no_offer": "held_by_bridge",
                ],
            ]))

    /// The fields of an entry of `devices`.
    static let listed = [
        Field("name", .text(1...Int.max), "Its name, which is its topic."),
        Field("family", .text(1...Int.max), "Its family."),
        Field(
            "display_name", .text(0...Int.max), nullable: true,
            "Its display name: `display_name` of the roster, otherwise the device's own name; null while unknown."
        ),
        Field("address", .form(.address, 17...17), "Its Bluetooth address."),
        Field("availability", .choice(["online", "offline"]), "Whether it is online."),
        Field("features", names, "The names of its features."),
        Field(
            "no_offer", .choice(LinkReason.allCases.map(\.rawValue)), nullable: true,
            "Why this bridge does not offer to connect to it, with the values of `reason_code` in `connection`; null "
                + "if it offers, or has the link."),
    ]

    static let groups = Feature(
        "groups", "The groups that accept commands, and the names of their members.",
        report: Report(
            .state,
            .list(
                .object([
                    Field("group", .text(1...128), "The name of the group."),
                    Field(
                        "members", .list(.text(1...128), count: 0...10_000),
                        "The names of its devices; for a configured group also devices that this bridge does not "
                            + "manage."
                    ),
                ]), count: 0...10_000),
            example: [
                ["group": "all", "members": ["belt", "robot"]], ["group": "all/belts", "members": ["belt"]],
                ["group": "wearers", "members": ["belt", "hall/belt"]],
            ]))
}
