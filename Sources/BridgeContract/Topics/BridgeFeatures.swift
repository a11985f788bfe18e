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

    /// The feature that ``family`` reports; the family's name is the last level of its topic.
    package static let familyFeature = Feature(
        "features",
        "All features of the devices of the family: one entry each, with a payload to try each command. Retained "
            + "while the bridge has such a device.",
        report: family)

    /// The version of the topic contract: the topics and payloads that clients depend on.
    package static let contract = 2

    private static let availability = Feature(
        "availability", "Whether the bridge is online; also its last will.",
        report: Report(.state, .choice(["online", "offline"]), example: "online"),
        shown: [.reading("Available", meaning: .connectivity, purpose: .diagnosis, offline: true)])

    private static let info = Feature(
        "info", "The bridge, its host and its resources.",
        report: Report(
            .state,
            [
                Field("version", .text(0...Int.max), "The program's version."),
                Field(
                    "contract", .integer(1...Int.max),
                    "The version of the topics: 2; missing in version 0.1.0 of the bridge."),
                Field(
                    "fleet_protocol", .integer(1...Int.max),
                    "The version of the protocol between bridges; missing for bridges that claim devices only by "
                        + "their names."),
                Field("bridge", .text(0...Int.max), "The bridge's id."),
                Field("host", .text(0...Int.max), "The name of its host."),
                Field(
                    "zone", .text(0...64), "The location of the host, from `bridge.zone`; empty if not set."
                ),
                Field(
                    "draining", .boolean,
                    "Whether it is draining: it disconnects its devices and connects none."),
                Field("started", .time, "When it was started."),
                Field(
                    "bluez", .text(0...Int.max), nullable: true,
                    "The version of BlueZ, if known."),
                Field(
                    "adapters", .list(.object(adapter), count: 0...64),
                    "The Bluetooth adapters; `held_by` is the program that uses an adapter for which this bridge waits."
                ),
                Field(
                    "slots", .integer(0...Int.max), nullable: true,
                    "How many further links all adapters support, as far as known from `bluetooth.slots` or a refused "
                        + "link."
                ),
                Field("broker", .text(0...Int.max), nullable: true, "The MQTT version in use."),
                Field(
                    "devices",
                    .object([
                        Field("known", .integer(0...10_000), "How many devices the bridge manages."),
                        Field("online", .integer(0...10_000), "How many of them are online."),
                    ]), "The number of devices."),
                Field(
                    "guardian", .boolean,
                    "Whether a guardian runs, the process that stops the devices if the bridge dies. Without a "
                        + "guardian, robots accept no drive, power on or weapon on."),
                Field("permit_join", .boolean, "Whether new devices may join now."),
                Field("permit_join_until", .time, nullable: true, "When joining ends."),
            ],
            example: [
                "version": "0.2.0", "contract": 2, "bridge": "attic", "host": "attic.example",
                "zone": "upstairs", "fleet_protocol": 1, "draining": false,
                "started": "2026-01-31T12:00:00.000Z", "bluez": "5.66",
                "adapters": [
                    [
                        "name": "hci0", "address": "00:11:22:33:44:55", "powered": true, "held_by": nil,
                        "slots": 6, "problem": nil,
                    ]
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
        Field("name", .text(1...Int.max), "Its name on the host; proxy/<name> for a Bluetooth proxy."),
        Field("address", .form(.address, 17...17), nullable: true, "Its Bluetooth address."),
        Field("powered", .boolean, "Whether it is switched on; for a proxy, whether this bridge uses it."),
        Field("held_by", .text(1...Int.max), nullable: true, "The program that uses it."),
        Field(
            "slots", .integer(0...Int.max), nullable: true,
            "How many further links it supports; null if unknown, or missing for an older bridge."),
        Field(
            "problem", .text(1...Int.max), nullable: true, "Why a proxy cannot be used, and what to do."),
    ]

    private static let echo = Feature(
        "echo",
        "The bridge's message to itself while a robot is connected: robots move only while it returns in time. You "
            + "can send the newest value with a drive, power or weapon command.",
        report: Report(.stream, .text(1...64), example: "5f2c9a1e-42"))

    private static let patterns = Feature(
        "patterns", "The haptic patterns that can be played by name.",
        report: Report(
            .state, .list(.text(1...64), count: 4...10_000),
            example: ["normal", "multi", "gradual", "heavy", "doorbell", "knock"]))

    /// The fields that report what a reload of the configuration changed.
    static let reloaded = [
        Field("added", names, "The devices that were added."),
        Field("removed", names, "The devices that were removed."),
        Field(
            "renamed",
            .list(
                .object([
                    Field("device", .text(0...Int.max), "Its former name."),
                    Field("to", .text(0...Int.max), "Its new name."),
                ]), count: 0...10_000), "The devices that were renamed."),
        Field("changed", names, "The devices with changed settings; they are connected again."),
        Field("settings", names, "The settings outside devices and groups that changed."),
        Field("restart_needed", names, "The settings whose change takes effect only after a restart."),
        Field(
            "overridden", names,
            "The settings where a default from a request overrides the value of the file."
        ),
        Field(
            "families", .object(reloadedFamilies),
            "The changes of device families, from the device files."),
        Field(
            "left_out", names,
            "The errors in device files: file, line, key, what was found, and what is allowed."),
        Field(
            "ignored", names,
            "The files in the folders of configuration, device and pattern files that are ignored."),
    ]

    private static let reloadedFamilies = [
        Field("added", names, "The new families."),
        Field("removed", names, "The removed families."),
        Field(
            "changed", names,
            "The families whose device file changed; their devices are connected again."),
        Field(
            "faults", .map(.text(0...Int.max)),
            "The reason, by name, for each family whose device file cannot be used."),
    ]

    /// The fields of ``reloaded`` as fields of an event. In an event about a discovered device, `families` is the list
    /// of families that match the device.
    private static var happened: [Field] {
        reloaded.map { field in
            guard field.name == "families" else { return field }
            return Field(
                field.name, .either([names, field.type]),
                field.summary + " For a discovered device: the families that match it, if several do.")
        }
    }

    static let names = FieldType.list(.text(0...Int.max), count: 0...10_000)

    private static let event = Feature(
        "event", "Events of the bridge, its devices and its adapters.",
        report: Report(
            .event,
            [
                Field(
                    "event",
                    .choice([
                        "device_discovered", "device_joined", "device_left", "device_failed", "adapter_lost",
                        "adapter_back", "bluez_lost", "bluez_back", "config_reloaded", "permit_join_ended",
                        "recording_began", "recording_ended", "hand_over_lapsed",
                    ]), "The kind of event."),
                Field("device", .text(0...Int.max), "The name of the device."),
                Field("family", .text(0...Int.max), "The family of the device."),
                Field("address", .form(.address, 17...17), "The address of the device."),
                Field(
                    "name", .text(0...Int.max), nullable: true,
                    "The name that a discovered device advertises."),
                Field("rssi", .integer(-128...20), unit: "dBm", nullable: true, "The signal strength."),
                Field("adapter", .text(0...Int.max), "The adapter."),
                Field(
                    "reason", .text(0...Int.max),
                    "The reason; for permit_join_ended one of "
                        + "\(PermitEnd.allCases.map(\.rawValue).joined(separator: " ")), "
                        + "for recording_ended one of \(RecordingEnd.words.joined(separator: " "))."
                ),
                Field(
                    "features", names,
                    "The activity of a device on its previous host that was not resumed, because it was too long ago."
                ),
                Field("path", .text(0...Int.max), "The file of a recording, on the bridge's host."),
                Field("bytes", .integer(0...Int.max), unit: "B", "The size of the recording."),
                Field("lines", .integer(0...Int.max), "The number of lines of the recording."),
                Field("message", .text(0...Int.max), "The error of the disk, if it ended the recording."),
                Field(
                    "reason_code", .choice(LinkReason.allCases.map(\.rawValue)),
                    "Why a device failed, as a code."),
                Field(
                    "advice", .text(0...Int.max),
                    "How to permit a discovered device that must be named by its address, or what to do if no device, "
                        + "or not every named device, joined while it was permitted."),
                Field(
                    "missing", .list(.form(.address, 17...17), count: 0...1000),
                    "The addresses that were permitted and have not joined."),
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
                Field("seq", .integer(1...Int.max), "A counter; a repeated number is a duplicate."),
            ],
            example: [
                "event": "device_joined", "device": "belt", "family": "belt", "address": "AA:BB:CC:DD:EE:FF",
                "time": "2026-01-31T12:00:00.000Z", "seq": 1,
            ]))
}
