package import DeviceKit
import JSON
package import Logging

/// A request and the type of its arguments.
package typealias RequestHandle<Asked: Sendable> = FeatureHandle<Never, Asked>

extension BridgeFeatures {
    /// The arguments of `permit_join`.
    package struct PermitJoin: Sendable {
        /// The duration in seconds; 0 ends a permission.
        package var seconds = 60
        /// The families that may join; nil for all.
        package var families: [String]?
        /// The address of the only device that may join; nil for any device.
        package var address: String?
        /// The addresses of the only devices that may join; nil for any device.
        package var addresses: [String]?
        /// How many devices may join; nil for the default number.
        package var max: Int?
    }

    package static func permitJoin(_ families: [any DeviceFamily]) -> RequestHandle<PermitJoin> {
        RequestHandle(
            .permitJoin,
            "Permits new devices to join, and pairs them, for some time; 0 seconds closes the window.",
            takes: Taking(
                PermitJoin(),
                [
                    .field(
                        "seconds", \.seconds, .integer(0...3600), unit: "s",
                        "The duration; 0 ends the current permission."),
                    .field(
                        "families", \.families,
                        .list(
                            .choice(families.map { ($0.name, $0.name) }),
                            count: 1...Swift.max(families.count, 1)),
                        "The families that may join; all if omitted."),
                    .field(
                        "address", \.address, .text(.address, 17...17),
                        "The one device that may join; needed for a keyboard, unless the host is bonded with it and "
                            + "`families` has its family."),
                    .field(
                        "addresses", \.addresses, .list(.text(.address, 17...17), count: 1...1000),
                        "The devices that may join, instead of `address`. Joining ends when all of them have joined."
                    ),
                    .field(
                        "max", \.max, .integer(1...1000),
                        "How many devices may join; then joining ends. A device counts when it is online. If omitted: "
                            + "one; for families of keyboards every device that the host is bonded with. Not used with "
                            + "`address` or `addresses`."),
                ],
                shorthands: [.field(\.seconds), .field(\.address)], empty: PermitJoin(),
                answers: [
                    Field("seconds", .integer(0...3600), unit: "s", "The duration."),
                    Field("max", .integer(1...1000), "How many devices may join."),
                    Field("known", names, "The devices of `addresses` that joined earlier."),
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
        .forget, "Removes a device that joined: its link, its topics, its name and its bond.")

    /// The arguments of `rename`.
    package struct Rename: Sendable {
        /// The current name of the device.
        package var device = ""
        package var to = ""
    }

    package static let rename = RequestHandle(
        .rename,
        "Renames a device that joined: its topics move, and the retained messages are cleared.",
        takes: Taking(
            Rename(),
            [
                .field("device", \.device, .text(1...256), required: true, "The device's name."),
                .field("to", \.to, .text(.name, 1...128), required: true, "Its new name."),
            ],
            answers: [
                Field("device", .text(1...Int.max), "Its new name."),
                Field("before", .text(1...Int.max), "Its former name."),
            ], example: .object(Rename(device: "belt", to: "hall/belt"))))

    package static let connect = aboutDevice(
        .connect,
        "Connects a device, immediately if it is in range; ends a disconnect. Answered when it is online, or "
            + "after 30 s.",
        answers: [
            Field("state", .text(1...64), "The state of the link."),
            Field(
                "bluetooth_adapter", .text(0...Int.max), nullable: true,
                "The adapter or the Bluetooth proxy that holds the link."),
        ])

    package static let disconnect = aboutDevice(
        .disconnect,
        "Disconnects a device and keeps it disconnected until connect, also across restarts. Answered when the link "
            + "is closed.")

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
        /// The kind of log lines; nil for all.
        package var subsystem: LogSubsystem?
    }

    package static let logLevel = RequestHandle(
        .logLevel,
        "Changes the lowest level that is logged, for all lines or one kind of lines, until the bridge restarts. "
            + "Without subsystem, the levels of single kinds are reset.",
        takes: Taking(
            LogLevel(),
            [
                .field(
                    "level", \.level, .choice(Logger.Level.allCases.map { ($0.rawValue, $0) }),
                    required: true,
                    "The level."),
                .field(
                    "subsystem", \.subsystem, .choice(LogSubsystem.allCases.map { ($0.rawValue, $0) }),
                    "The kind of lines; all if omitted."),
            ], shorthands: [.field(\.level)],
            answers: [
                Field("level", .text(1...64), "The level in force."),
                Field("before", .text(1...64), "The previous level."),
                Field("subsystem", .text(1...64), "The kind of lines to which it applies, if not to all."),
            ], example: .bare("debug")))

    static let reload = RequestHandle(
        .reload,
        "Reads the configuration again and applies the changes; nothing, if it is invalid. The answer and the event "
            + "config_reloaded list the changes.", takes: .nothing(answers: reloaded))

    static let healthCheck = RequestHandle(
        .healthCheck,
        "Answers with the state of the broker connection, the adapters and the devices.",
        takes: .nothing(answers: health))

    static let devicesRequest = RequestHandle(
        .devices, "Answers with the list of devices.",
        takes: .nothing(answers: [
            Field(
                "devices", .list(.object(listed), count: 0...10_000),
                "The devices that the bridge manages.")
        ]))

    private static let health = [
        Field("healthy", .boolean, "Whether there are no problems."),
        Field("problems", .list(.text(0...Int.max), count: 0...10_000), "The problems, as text."),
        Field("uptime_s", .integer(0...Int.max), unit: "s", "How long the bridge has been running."),
        Field("broker", .text(0...Int.max), nullable: true, "The MQTT version in use."),
        Field("bluez", .text(0...Int.max), nullable: true, "The version of BlueZ, if known."),
        Field("adapters", .list(.text(0...Int.max), count: 0...64), "The adapters that are ready."),
        Field("devices", .integer(0...10_000), "How many devices the bridge manages."),
        Field("online", .integer(0...10_000), "How many of them are online."),
    ]
}
