package import DeviceKit
import JSON

/// The features of the bridge under `bridge/<bridge>/`.
package enum BridgeFeatures {
    /// The reports of the bridge, the most useful first.
    package static let reports = [
        availability, heartbeat, info, devices, groups, families, patterns, event, stats, log, echo, offer,
    ]

    /// The answer to a request, `bridge/<bridge>/response/<request>`.
    package static let response = Report(
        .event,
        [
            Field("request", .text(0...Int.max), "The request that is answered."),
            Field("bridge", .text(0...Int.max), "The bridge that answers a request to all bridges."),
        ] + AnswerFields.all,
        example: [
            "request": "permit_join", "status": "ok", "elapsed_ms": 1, "seconds": 60, "max": 1,
            "time": "2026-01-31T12:00:00.000Z",
        ])

    /// The features of the devices of a family, `bridge/<bridge>/features/<family>`; published while there is such a
    /// device.
    package static let family = Report(
        .state, .any,
        example: [
            "family": ["name": "belt"],
            "intensity": [
                "kind": "state", "summary": "The default intensity.",
                "payload": "a whole number 0...100", "type": "integer", "minimum": 0, "maximum": 100,
                "unit": "%", "example": 60,
                "set": [
                    "fields": [
                        "intensity": [
                            "type": "integer", "allowed": "a whole number 5...100", "minimum": 5,
                            "maximum": 100, "unit": "%", "required": true, "summary": "The new intensity.",
                        ]
                    ],
                    "shorthand": ["intensity"], "try": "60",
                ],
            ],
        ])

    /// The feature that ``family`` reports; its topic continues with the family's name.
    package static let familyFeature = Feature(
        "features",
        "All features of the devices of the family: one entry each, with a payload to try each command. It is there "
            + "while there is such a device.",
        report: family)

    /// The version of the topic contract.
    package static let contract = 2

    private static let availability = Feature(
        "availability", "Whether the bridge is there; also its last will.",
        report: Report(.state, .choice(["online", "offline"]), example: "online"),
        shown: [.reading("Available", meaning: .connectivity, purpose: .diagnosis, offline: true)])

    private static let info = Feature(
        "info", "What the bridge is and stands on.",
        report: Report(
            .state,
            [
                Field("version", .text(0...Int.max), "The program's version."),
                Field(
                    "contract", .integer(1...Int.max),
                    "The version of the topics: 2; missing for bridges of version 0.1.0."),
                Field(
                    "fleet_protocol", .integer(1...Int.max),
                    "The version of what bridges say to each other of their devices; missing for bridges that claim "
                        + "devices by their names only."),
                Field("bridge", .text(0...Int.max), "The bridge's id."),
                Field("host", .text(0...Int.max), "The machine that it runs on."),
                Field(
                    "zone", .text(0...64), "Where the host stands, as `bridge.zone` says; empty for anywhere."
                ),
                Field("draining", .boolean, "Whether it lets its devices go and takes none."),
                Field("started", .time, "When it was started."),
                Field(
                    "bluez", .text(0...Int.max), nullable: true,
                    "The version of BlueZ, where it can be known."),
                Field(
                    "adapters", .list(.object(adapter), count: 0...64),
                    "The Bluetooth adapters; `held_by` names the program that has one which this bridge waits for."
                ),
                Field(
                    "slots", .integer(0...Int.max), nullable: true,
                    "How many links more the adapters bear together, as far as `bluetooth.slots` or a refused link says."
                ),
                Field("broker", .text(0...Int.max), nullable: true, "The version of MQTT that is spoken."),
                Field(
                    "devices",
                    .object([
                        Field("known", .integer(0...10_000), "How many the bridge looks after."),
                        Field("online", .integer(0...10_000), "How many of them can be used."),
                    ]), "How many devices are known and online."),
                Field(
                    "guardian", .boolean,
                    "Whether a guardian runs, the process that stops the devices if the bridge dies. Without one, robots "
                        + "take no drive, power on or weapon on."),
                Field("permit_join", .boolean, "Whether new devices may join now."),
                Field("permit_join_until", .time, nullable: true, "Until when."),
            ],
            example: [
                "version": "0.2.0", "contract": 2, "bridge": "attic", "host": "attic.example",
                "zone": "upstairs", "fleet_protocol": 1, "draining": false,
                "started": "2026-01-31T12:00:00.000Z", "bluez": "5.66",
                "adapters": [
                    ["name": "hci0", "address": "00:11:22:33:44:55", "powered": true, "held_by": nil]
                ],
                "slots": 6, "broker": "MQTT 5", "devices": ["known": 2, "online": 1], "guardian": true,
                "permit_join": false, "permit_join_until": nil,
            ]),
        shown: [
            .reading("Devices", of: "devices.known", purpose: .diagnosis, icon: "devices"),
            .reading("Devices online", of: "devices.online", purpose: .diagnosis, icon: "bluetooth-connect"),
            .reading("Joining permitted", of: "permit_join", meaning: .running, icon: "bluetooth-audio"),
            .reading("Guardian", of: "guardian", meaning: .running, icon: "shield-check"),
            .reading("Started", of: "started", purpose: .diagnosis, hidden: true),
        ])

    private static let adapter = [
        Field("name", .text(1...Int.max), "Its name on the host."),
        Field("address", .form(.address, 17...17), nullable: true, "Its Bluetooth address."),
        Field("powered", .boolean, "Whether it is switched on."),
        Field("held_by", .text(1...Int.max), nullable: true, "The program that has it."),
    ]

    private static let echo = Feature(
        "echo",
        "The bridge's message to itself while a robot is connected: robots move only while it comes back in time. The "
            + "newest value can go along with a drive, power or weapon command.",
        report: Report(.stream, .text(1...64), example: "5f2c9a1e-42"))

    private static let patterns = Feature(
        "patterns", "The haptic patterns that can be played by name.",
        report: Report(
            .state, .list(.text(1...64), count: 4...10_000),
            example: ["normal", "multi", "gradual", "heavy", "doorbell", "knock"]))

    /// The effects of a reloaded configuration.
    static let reloaded = [
        Field("added", names, "The devices that the new configuration brought."),
        Field("removed", names, "The devices that it took away."),
        Field(
            "renamed",
            .list(
                .object([
                    Field("device", .text(0...Int.max), "The name that it had."),
                    Field("to", .text(0...Int.max), "The name that it has."),
                ]), count: 0...10_000), "The devices that it gave another name."),
        Field("changed", names, "The devices that it gave other settings, and that are connected anew."),
        Field("settings", names, "The settings outside devices and groups that changed."),
        Field("restart_needed", names, "Those whose change takes effect only after a restart."),
        Field(
            "overridden", names, "Those where a default that a request set is in force, not the file's value."
        ),
        Field(
            "families", .object(reloadedFamilies),
            "What became of the families of devices, out of the device files."),
        Field(
            "left_out", names,
            "What is wrong with device files: file, line, key, what was found and is allowed."),
        Field(
            "ignored", names,
            "What is in the folders of configuration, device and pattern files and is not read."),
    ]

    private static let reloadedFamilies = [
        Field("added", names, "Those that are new."),
        Field("removed", names, "Those that are gone."),
        Field(
            "changed", names,
            "Those whose device file is another one; their devices are connected anew."),
        Field(
            "faults", .map(.text(0...Int.max)),
            "The reason by name for each whose device file cannot be used."),
    ]

    /// The same fields, where `families` can also be the list of families that a discovered device may belong to.
    private static var happened: [Field] {
        reloaded.map { field in
            guard field.name == "families" else { return field }
            return Field(
                field.name, .either([names, field.type]),
                field.summary + " Of a discovered device the families that it may be of, if several.")
        }
    }

    static let names = FieldType.list(.text(0...Int.max), count: 0...10_000)

    private static let event = Feature(
        "event", "What happens to the bridge, its devices and its adapters.",
        report: Report(
            .event,
            [
                Field(
                    "event",
                    .choice([
                        "device_discovered", "device_joined", "device_left", "device_failed", "adapter_lost",
                        "adapter_back", "bluez_lost", "bluez_back", "config_reloaded", "permit_join_ended",
                        "recording_began", "recording_ended", "hand_over_lapsed",
                    ]), "What happened."),
                Field("device", .text(0...Int.max), "The name of the device."),
                Field("family", .text(0...Int.max), "The family of the device."),
                Field("address", .form(.address, 17...17), "The address of the device."),
                Field(
                    "name", .text(0...Int.max), nullable: true,
                    "The name that a discovered device advertises."),
                Field("rssi", .integer(-128...20), unit: "dBm", nullable: true, "How well it is heard."),
                Field("adapter", .text(0...Int.max), "The adapter."),
                Field(
                    "reason", .text(0...Int.max),
                    "Why; of permit_join_ended one of \(PermitEnd.allCases.map(\.rawValue).joined(separator: " ")), "
                        + "of recording_ended one of \(RecordingEnd.words.joined(separator: " "))."
                ),
                Field(
                    "features", names,
                    "What a device that changed hosts did at the one before, and does not go on with: it was too long "
                        + "ago."),
                Field("path", .text(0...Int.max), "The file of a recording, on the bridge's host."),
                Field("bytes", .integer(0...Int.max), unit: "B", "How large the recording is."),
                Field("lines", .integer(0...Int.max), "How many lines the recording has."),
                Field("message", .text(0...Int.max), "What the disk said where it ended a recording."),
                Field(
                    "reason_code", .choice(LinkReason.allCases.map(\.rawValue)),
                    "Why a device failed, for programs."),
                Field(
                    "advice", .text(0...Int.max),
                    "What lets a discovered device in that needs its address named; what to do after a window in which "
                        + "no device joined."),
                Field(
                    "devices",
                    .list(
                        .object([
                            Field("device", .text(0...Int.max), "Its name."),
                            Field("family", .text(0...Int.max), "Its family."),
                            Field("address", .form(.address, 17...17), "Its address."),
                        ]), count: 0...10_000), "The devices that joined while it was permitted."),
            ] + happened + [
                Field("time", .time, "When it happened."),
                Field("seq", .integer(1...Int.max), "Counts up; a number that comes again is a repeat."),
            ],
            example: [
                "event": "device_joined", "device": "belt", "family": "belt", "address": "AA:BB:CC:DD:EE:FF",
                "time": "2026-01-31T12:00:00.000Z", "seq": 1,
            ]))
}
