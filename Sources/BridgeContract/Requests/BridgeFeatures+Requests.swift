package import DeviceKit
import JSON
package import Logging

/// A request and the type of its arguments.
package typealias RequestHandle<Asked: Sendable> = FeatureHandle<Never, Asked>

extension BridgeFeatures {
    /// The arguments of `permit_join`.
    package struct PermitJoin: Sendable {
        /// In seconds; 0 ends a permission.
        package var seconds = 60
        /// The families that may join; nil for all.
        package var families: [String]?
        /// The one device that may join; nil for any.
        package var address: String?
        /// How many devices may join; nil for the usual number.
        package var max: Int?
    }

    package static func permitJoin(_ families: [any DeviceFamily]) -> RequestHandle<PermitJoin> {
        RequestHandle(
            .permitJoin, "Accepts and pairs new devices for a while; 0 seconds end it.",
            takes: Taking(
                PermitJoin(),
                [
                    .field(
                        "seconds", \.seconds, .integer(0...3600), unit: "s",
                        "For how long; 0 ends a permission that runs."),
                    .field(
                        "families", \.families,
                        .list(
                            .choice(families.map { ($0.name, $0.name) }),
                            count: 1...Swift.max(families.count, 1)),
                        "The families that may join; all if left out."),
                    .field(
                        "address", \.address, .text(.address, 17...17),
                        "The one device that may join; needed for a keyboard, unless the host is bonded with it and "
                            + "`families` has its family."),
                    .field(
                        "max", \.max, .integer(1...1000),
                        "How many devices may join; then joining ends. A device counts when it is online. If left "
                            + "out: one; of families of keyboards every device that the host is bonded with."),
                ],
                shorthands: [.field(\.seconds), .field(\.address)], empty: PermitJoin(),
                answers: [
                    Field("seconds", .integer(0...3600), unit: "s", "For how long."),
                    Field("max", .integer(1...1000), "How many may join."),
                    Field("warning", .text(0...Int.max), "Why no device can join yet."),
                ],
                example: .object(PermitJoin(), also: [\.seconds])),
            shown: { _ in
                [
                    .action("Permit join", sends: 60, id: "start", icon: "bluetooth-audio"),
                    .action("End joining", sends: 0, id: "end", icon: "bluetooth-off"),
                ]
            })
    }

    package static let forget = aboutDevice(
        .forget, "Lets a device go that joined: its link, its topics, its name and its bond.")

    /// The arguments of `rename`.
    package struct Rename: Sendable {
        /// The name of the device.
        package var device = ""
        /// Its new name.
        package var to = ""
    }

    package static let rename = RequestHandle(
        .rename,
        "Gives a device that joined another name: its topics move, what was retained is cleared.",
        takes: Taking(
            Rename(),
            [
                .field("device", \.device, .text(1...256), required: true, "The device's name."),
                .field("to", \.to, .text(.name, 1...128), required: true, "Its new name."),
            ],
            answers: [
                Field("device", .text(1...Int.max), "The name that it has now."),
                Field("before", .text(1...Int.max), "The name that it had."),
            ], example: .object(Rename(device: "belt", to: "hall/belt"))))

    package static let connect = aboutDevice(
        .connect,
        "Connects a device, at once if it is near; ends a disconnect. Answered when it is online, or "
            + "after 30 s.",
        answers: [Field("state", .text(1...64), "The state of the link.")])

    package static let disconnect = aboutDevice(
        .disconnect,
        "Lets a device's link go and leaves it alone until connect, over restarts too. Answered when the "
            + "link is closed.")

    package static let pair = aboutDevice(.pair, "Bonds the host with a device.")

    private static func aboutDevice(
        _ request: Request, _ summary: String, answers: [Field] = []
    ) -> RequestHandle<OneArgument<String>> {
        RequestHandle(
            request, summary,
            takes: .one(
                "device", "", .text(1...256), "The device's name.", answers: answers,
                example: ["device": "belt"]))
    }

    /// The arguments of `log_level`.
    package struct LogLevel: Sendable {
        package var level = Logger.Level.info
        /// The kind of lines; nil for all.
        package var subsystem: LogSubsystem?
    }

    package static let logLevel = RequestHandle(
        .logLevel,
        "Changes from which level on something is logged, or only of one kind of lines, until the bridge is "
            + "restarted. Without subsystem the levels of single kinds end.",
        takes: Taking(
            LogLevel(),
            [
                .field(
                    "level", \.level, .choice(Logger.Level.allCases.map { ($0.rawValue, $0) }),
                    required: true,
                    "The level."),
                .field(
                    "subsystem", \.subsystem, .choice(LogSubsystem.allCases.map { ($0.rawValue, $0) }),
                    "The kind of lines; all if it is not given."),
            ], shorthands: [.field(\.level)],
            answers: [
                Field("level", .text(1...64), "The level that holds now."),
                Field("before", .text(1...64), "The level that held."),
                Field("subsystem", .text(1...64), "The kind of lines that it holds for, if not for all."),
            ], example: .bare("debug")))

    static let reload = RequestHandle(
        .reload,
        "Reads the configuration anew and applies what changed; nothing, if it is not valid. The answer and "
            + "the event config_reloaded say what was done.", takes: .nothing(answers: reloaded))

    static let healthCheck = RequestHandle(
        .healthCheck,
        "Answers with how the bridge stands to its broker, its adapters and its devices.",
        takes: .nothing(answers: health))

    static let devicesRequest = RequestHandle(
        .devices, "Answers with the list of devices.",
        takes: .nothing(answers: [
            Field(
                "devices", .list(.object(listed), count: 0...10_000),
                "The devices that the bridge looks after.")
        ]))

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
}
