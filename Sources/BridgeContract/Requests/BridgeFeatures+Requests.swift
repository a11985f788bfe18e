import DeviceKit
import JSON
import Logging

extension BridgeFeatures {
    static func permitJoinRequest(_ families: [any DeviceFamily]) -> Feature {
        Feature(
            .permitJoin, "Accepts and pairs new devices for a while; 0 seconds end it.",
            command: Command(
                [
                    Field(
                        "seconds", .integer(0...3600), unit: "s", default: 60,
                        "For how long; 0 ends a permission that runs."),
                    Field(
                        "families",
                        .list(.choice(families.map(\.name)), count: 1...max(families.count, 1)),
                        "The families that may join; all if left out."),
                    Field(
                        "address", .form(.address, 17...17),
                        "The one device that may join; needed for a keyboard, unless the host is bonded with it and "
                            + "`families` has its family."),
                    Field(
                        "max", .integer(1...1000),
                        "How many devices may join; then joining ends. A device counts when it is online. If left "
                            + "out: one; of families of keyboards every device that the host is bonded with."
                    ),
                ],
                shorthands: [.field("seconds"), .field("address")], empty: [:],
                answers: [
                    Field("seconds", .integer(0...3600), unit: "s", "For how long."),
                    Field("max", .integer(1...1000), "How many may join."),
                    Field("warning", .text(0...Int.max), "Why no device can join yet."),
                ],
                example: ["seconds": 60]),
            shown: [
                .action("Permit join", sends: 60, id: "start", icon: "bluetooth-audio"),
                .action("End joining", sends: 0, id: "end", icon: "bluetooth-off"),
            ])
    }

    static let forgetRequest = Feature(
        .forget, "Lets a device go that joined: its link, its topics, its name and its bond.",
        command: Command(
            [Field("device", .text(1...256), required: true, "The device's name.")],
            shorthands: [.field("device")], example: ["device": "belt"]))

    static let renameRequest = Feature(
        .rename,
        "Gives a device that joined another name: its topics move, what was retained is cleared.",
        command: Command(
            [
                Field("device", .text(1...256), required: true, "The device's name."),
                Field("to", .form(.name, 1...128), required: true, "Its new name."),
            ],
            answers: [
                Field("device", .text(1...Int.max), "The name that it has now."),
                Field("before", .text(1...Int.max), "The name that it had."),
            ], example: ["device": "belt", "to": "hall/belt"]))

    static let connectRequest = deviceRequest(
        .connect,
        "Connects a device, at once if it is near; ends a disconnect. Answered when it is online, or "
            + "after 30 s.",
        answers: [Field("state", .text(1...64), "The state of the link.")])

    static let disconnectRequest = deviceRequest(
        .disconnect,
        "Lets a device's link go and leaves it alone until connect, over restarts too. Answered when the "
            + "link is closed.")

    static let pairRequest = deviceRequest(.pair, "Bonds the host with a device.")

    static let logLevelRequest = Feature(
        .logLevel,
        "Changes from which level on something is logged, or only of one kind of lines, until the bridge is "
            + "restarted. Without subsystem the levels of single kinds end.",
        command: Command(
            [
                Field(
                    "level", .choice(Logger.Level.allCases.map(\.rawValue)), required: true,
                    "The level."),
                Field(
                    "subsystem", .choice(LogSubsystem.allCases.map(\.rawValue)),
                    "The kind of lines; all if it is not given."),
            ], shorthands: [.field("level")],
            answers: [
                Field("level", .text(1...64), "The level that holds now."),
                Field("before", .text(1...64), "The level that held."),
                Field(
                    "subsystem", .text(1...64), "The kind of lines that it holds for, if not for all."
                ),
            ], example: "debug"))

    static let reloadRequest = Feature(
        .reload,
        "Reads the configuration anew and applies what changed; nothing, if it is not valid. The answer and "
            + "the event config_reloaded say what was done.",
        command: Command([], empty: [:], answers: reloaded, example: [:]))

    static let healthCheckRequest = Feature(
        .healthCheck,
        "Answers with how the bridge stands to its broker, its adapters and its devices.",
        command: Command([], empty: [:], answers: health, example: [:]))

    static let devicesRequest = Feature(
        .devices, "Answers with the list of devices.",
        command: Command(
            [], empty: [:],
            answers: [
                Field(
                    "devices", .list(.object(listed), count: 0...10_000),
                    "The devices that the bridge looks after.")
            ], example: [:]))

    private static let health = [
        Field("healthy", .boolean, "Whether there is no problem."),
        Field("problems", .list(.text(0...Int.max), count: 0...10_000), "What is wrong, in words."),
        Field("uptime_s", .integer(0...Int.max), unit: "s", "For how long the bridge has run."),
        Field("broker", .text(0...Int.max), nullable: true, "The version of MQTT that is spoken."),
        Field("bluez", .text(0...Int.max), nullable: true, "The version of BlueZ, where it can be known."),
        Field("adapters", .list(.text(0...Int.max), count: 0...64), "The adapters that are ready."),
        Field("devices", .integer(0...10_000), "How many devices the bridge looks after."),
        Field("online", .integer(0...10_000), "How many of them can be used."),
    ]

    private static func deviceRequest(
        _ request: Request, _ summary: String, answers: [Field] = []
    ) -> Feature {
        Feature(
            request, summary,
            command: Command(
                [Field("device", .text(1...256), required: true, "The device's name.")],
                shorthands: [.field("device")], answers: answers, example: ["device": "belt"]))
    }
}
