package import DeviceKit
import JSON

/// The features of groups of devices: the commands to a group, and their results.
package enum GroupFeatures {
    /// The result of a command to a group.
    package static let result = Feature(
        "result",
        "The result of a command to a group, with one entry for each member that has the feature. It is an error if "
            + "any member failed; for all/stop, an offline member is not an error.",
        report: Report(
            .event,
            [
                Field("feature", .text(0...Int.max), "The feature of the command."),
                Field(
                    "bridge", .text(0...Int.max), "The bridge that answers, for the devices that it has."),
                Field(
                    "members",
                    .list(
                        .object(
                            [Field("device", .text(0...Int.max), "The member's name.")]
                                + AnswerFields.all.filter {
                                    ["status", "elapsed_ms", "code", "message", "reason"].contains($0.name)
                                } + [AnswerFields.confirmed]),
                        count: 0...10_000), "The result of each member; a success may have further fields."),
            ] + AnswerFields.all + [AnswerFields.confirmed],
            example: [
                "feature": "stop", "status": "ok", "elapsed_ms": 12, "bridge": "attic",
                "members": [
                    ["device": "belt", "status": "ok", "elapsed_ms": 12],
                    [
                        "device": "robot", "status": "error", "code": "device_offline",
                        "message": "robot is searching (not in range so far)",
                    ],
                ], "time": "2026-01-31T12:00:00.000Z", "seq": 1,
            ]))

    package static let everything = Groups.all

    /// The names of the built-in groups: `all`, `all/belts`, …
    package static func builtInNames(_ families: [any DeviceFamily]) -> [String] {
        Groups([], families: families).names
    }

    /// The command that stops all devices.
    package static let stop = Feature(
        "stop",
        "Stops everything, whatever the payload, even retained: robots, which lose their power too, vibrations, "
            + "patterns and navigation; a belt in compass or crossing mode changes to wait mode.",
        command: Command([], shorthands: [.word("now", [:])], empty: [:], traits: .stop, example: "now"),
        shown: [.action("Stop everything", sends: "now", icon: "stop-circle")])

    package static let command = Feature(
        "<feature>",
        "Is sent to each member that has the feature; to robots only stop, emergency_stop, and power or weapon off. "
            + "Groups: all, all/<plural> for each family such as all/belts, zone/<zone> for the devices of the hosts with "
            + "this bridge.zone, and the groups of the configuration.",
        command: Command([], empty: [:], example: 90))

    // MARK: Zones

    /// The group of a zone in references and access lists.
    package static func zone(_ name: String) -> String { Groups.name(ofZone: name) }

    /// The stop of all devices in a zone.
    package static let zoneStop = Feature(
        "stop",
        "Stops everything in the zone, like all/stop: whatever the payload, even retained; robots lose their power too. "
            + "A device is in the zone of the host that is connected to it.",
        command: Command([], shorthands: [.word("now", [:])], empty: [:], traits: .stop, example: "now"))

    // MARK: State

    /// Matches the states of all groups below the topic of a bridge.
    package static let anyState = "\(stateRoot)/+/#"
    /// The level of a bridge's topics that contains the states of groups.
    package static let stateRoot = "groups"

    /// The state of a group on one bridge, `bridge/<bridge>/groups/<group>`.
    ///
    /// - Parameter isHidden: Whether its entities are disabled by default.
    package static func state(of group: String, isHidden: Bool = false) -> Feature {
        func reading(_ title: String, of field: String, icon: String?, _ meaning: Presentation.Meaning? = nil)
            -> Presentation
        {
            .reading(
                "\(group) \(title)", of: field, meaning: meaning, purpose: .diagnosis, icon: icon,
                hidden: isHidden)
        }
        return Feature(
            "\(stateRoot)/\(group)",
            "The members of the group that this bridge has, not those of other bridges. Published while the bridge knows a "
                + "device of the group.",
            report: state,
            shown: [
                reading("online", of: "online", icon: "bluetooth-connect"),
                reading("lowest battery", of: "lowest_battery", icon: nil, .battery),
                reading("playing", of: "playing", icon: "waveform"),
                reading("stopped", of: "stopped", icon: "stop-circle"),
            ])
    }

    private static let state = Report(
        .state,
        [
            Field("members", .integer(0...10_000), "How many devices of the group this bridge has."),
            Field("online", .integer(0...10_000), "How many of them are online."),
            Field(
                "lowest_battery", .number(0...100), unit: "%", nullable: true,
                "The lowest battery level of those that are online; null if none reports a level."),
            Field("playing", .integer(0...10_000), "How many of them play a haptic pattern."),
            Field("stopped", .integer(0...10_000), "How many of the members have an emergency stop set."),
        ],
        example: ["members": 3, "online": 2, "lowest_battery": 41, "playing": 1, "stopped": 0])
}
