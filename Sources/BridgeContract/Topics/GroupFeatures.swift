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
            + "Groups: all, all/<plural> for each family such as all/belts, and the groups of the configuration.",
        command: Command([], empty: [:], example: 90))
}
