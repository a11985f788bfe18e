import DeviceKit
import JSON

extension BridgeFeatures {
    /// The maximum number of refused topics that are kept, each with the reason.
    package static let refusalCapacity = 100

    static let stats = Feature(
        "stats",
        "What the bridge has done since its start, every bridge.stats_interval_s; times are of the last interval.",
        report: Report(
            .stream,
            [
                Field("time", .time, "When it was counted."),
                Field("uptime_s", .integer(0...Int.max), unit: "s", "For how long the bridge has run."),
                Field("interval_s", .integer(1...3600), unit: "s", "How often it is published."),
                Field("mqtt", .object(mqtt), "What went through the broker."),
                Field("commands", .object(times), "How long commands took that were carried out."),
                Field(
                    "echo", .object(times),
                    "How long the bridge's messages to itself took; none while no robot is connected."),
                Field(
                    "families", .map(.object(familyCounts)),
                    "For each family: devices, links, notifications (in), writes, commands, messages by kind "
                        + "(out), and what its devices counted by name, such as what stopped them."),
                Field(
                    "fleet", .object(fleetCounts),
                    "What happened between this bridge and others at the broker."),
                Field(
                    "memory_bytes", .integer(0...Int.max), unit: "B", nullable: true,
                    "The memory that the process has in use."),
                Field(
                    "refused",
                    .list(
                        .object([
                            Field("topic", .text(0...Int.max), "The topic."),
                            Field("reason", .text(0...Int.max), "What the broker says."),
                        ]), count: 0...refusalCapacity),
                    "The topics that the broker has refused since the connection was made."),
                Field(
                    "refused_answers", count,
                    "How many answers the broker has refused since then, whose topics their senders chose (Response "
                        + "Topic)."),
            ],
            example: [
                "time": "2026-01-31T12:00:00.000Z", "uptime_s": 3600, "interval_s": 30,
                "mqtt": [
                    "in": 120, "out": 4200, "acknowledged": 600, "repeated": 2,
                    "dropped": ["events": 0, "streams": 14, "replies": 0, "refused": 1],
                    "queue_depth": 0, "in_flight": 1, "reconnects": 1,
                    "latency": ["count": 60, "p50_ms": 0.8, "p99_ms": 2.1, "max_ms": 3],
                ],
                "commands": ["count": 1, "p50_ms": 12, "p99_ms": 12, "max_ms": 12],
                "echo": ["count": 120, "p50_ms": 0.6, "p99_ms": 1.9, "max_ms": 2.4],
                "families": [
                    "belt": [
                        "devices": 1, "online": 1, "links": 1, "notifications": 4, "writes": 3,
                        "failed_writes": 0, "commands": 1, "failed_commands": 1, "states": 11, "events": 1,
                        "streams": 2, "counts": ["stopped_by_all_stop": 1],
                    ]
                ],
                "fleet": [
                    "hand_overs": ["released": 3, "died": 1, "advertised": 0, "contested": 0],
                    "offers": 9, "conflicts": 0, "orphans": 2,
                    "hand_over_time": ["count": 1, "p50_ms": 740, "p99_ms": 740, "max_ms": 740],
                ],
                "memory_bytes": 24_117_248,
                "refused": [["topic": "belt/battery", "reason": "not authorized"]], "refused_answers": 0,
            ]),
        shown: [
            .reading("Memory", of: "memory_bytes", meaning: .memory, purpose: .diagnosis, hidden: false),
            .reading(
                "Messages received", of: "mqtt.in", purpose: .diagnosis, icon: "email-arrow-left-outline",
                hidden: false),
            .reading(
                "Messages sent", of: "mqtt.out", purpose: .diagnosis, icon: "email-arrow-right-outline",
                hidden: false),
            .reading(
                "Messages waiting", of: "mqtt.queue_depth", purpose: .diagnosis, icon: "tray-full",
                hidden: false),
            .reading("Broker reconnects", of: "mqtt.reconnects", purpose: .diagnosis, icon: "lan-disconnect"),
            .reading("Broker latency", of: "mqtt.latency.p99_ms", purpose: .diagnosis),
            .reading("Command latency", of: "commands.p99_ms", purpose: .diagnosis),
            .reading("Uptime", of: "uptime_s", purpose: .diagnosis),
        ])

    private static let familyCounts = [
        Field("devices", count, "How many there are."), Field("online", count, "How many can be used."),
        Field("links", count, "Links that were made."), Field("notifications", count, "What came in."),
        Field("writes", count, "Writes that were done."),
        Field("failed_writes", count, "Writes that failed."),
        Field("commands", count, "Commands that were carried out."),
        Field("failed_commands", count, "Commands that were refused or failed."),
        Field("states", count, "States that were published."),
        Field("events", count, "Events that were published."),
        Field("streams", count, "Messages of streams that were published."),
        Field("counts", .map(count), "What the devices counted, by its name."),
    ]

    private static let fleetCounts = [
        Field(
            "hand_overs",
            .object([
                Field("released", count, "That bridge had lost or closed the link."),
                Field("died", count, "That bridge had died."),
                Field("advertised", count, "The device was on the air while that bridge claimed it."),
                Field("contested", count, "That bridge was not known to have lost it."),
            ]), "Devices that came from another bridge, by how they left it."),
        Field("offers", count, "Offers to connect that were made to other bridges."),
        Field("conflicts", count, "How often another bridge claimed a link that this one had."),
        Field("orphans", count, "Devices that no bridge has now, of which this one says so."),
        Field(
            "hand_over_time", .object(times),
            "For how long nobody had the devices that came, where that is known."),
    ]

    private static let count = FieldType.integer(0...Int.max)

    private static let times = [
        Field("count", count, "How many."),
        Field("p50_ms", .number(0...Double(Int.max)), unit: "ms", "Half took no longer."),
        Field("p99_ms", .number(0...Double(Int.max)), unit: "ms", "99 of 100 took no longer."),
        Field("max_ms", .number(0...Double(Int.max)), unit: "ms", "The longest."),
    ]

    private static let mqtt = [
        Field("in", count, "Messages that arrived."),
        Field("out", count, "Messages that were sent."),
        Field("acknowledged", count, "Those that the broker acknowledged."),
        Field("repeated", count, "Those that were sent once more after a lost connection."),
        Field(
            "dropped",
            .object([
                Field("events", count, "Events that found the queue full."),
                Field("streams", count, "Messages of streams that found the broker slow or away."),
                Field("replies", count, "Answers whose connection had ended."),
                Field("refused", count, "Messages that the broker refused."),
            ]), "What was lost."),
        Field("queue_depth", count, "How many messages wait for the broker now."),
        Field("in_flight", count, "How many it has not acknowledged yet."),
        Field("reconnects", count, "How often the connection was made again."),
        Field(
            "latency", .object(times),
            "How long acknowledgements took; one that comes alone is read up to 2 ms late."),
    ]
}
