import DeviceKit
import JSON

extension BridgeFeatures {
    /// The maximum number of refused topics that the bridge keeps and publishes, each with the broker's reason.
    package static let refusalCapacity = 100

    static let stats = Feature(
        "stats",
        "Counters since the start of the bridge, published every bridge.stats_interval_s; times are of the last "
            + "interval.",
        report: Report(
            .stream,
            [
                Field("time", .time, "When it was measured."),
                Field("uptime_s", .integer(0...Int.max), unit: "s", "How long the bridge has been running."),
                Field("interval_s", .integer(1...3600), unit: "s", "How often it is published."),
                Field("mqtt", .object(mqtt), "Messages to and from the broker."),
                Field("commands", .object(times), "The duration of commands that were carried out."),
                Field(
                    "echo", .object(times),
                    "The round trip of the bridge's messages to itself; none while no robot is connected."),
                Field(
                    "families", .map(.object(familyCounts)),
                    "For each family: devices, links, notifications (in), writes, commands, messages by kind "
                        + "(out), and the counters of its devices by name, such as the causes of stops."),
                Field(
                    "fleet", .object(fleetCounts),
                    "Activity between this bridge and other bridges on the broker."),
                Field(
                    "memory_bytes", .integer(0...Int.max), unit: "B", nullable: true,
                    "The memory in use by the process."),
                Field(
                    "refused",
                    .list(
                        .object([
                            Field("topic", .text(0...Int.max), "The topic."),
                            Field("reason", .text(0...Int.max), "The reason of the broker."),
                        ]), count: 0...refusalCapacity),
                    "The topics that the broker has refused since the last connection."),
                Field(
                    "refused_answers", count,
                    "How many answers on a Response Topic the broker has refused since the last connection."),
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
        Field("devices", count, "How many devices the bridge manages."),
        Field("online", count, "How many devices are online."),
        Field("links", count, "Links that were established."),
        Field("notifications", count, "Notifications that were received."),
        Field("writes", count, "Writes that succeeded."),
        Field("failed_writes", count, "Writes that failed."),
        Field("commands", count, "Commands that were carried out."),
        Field("failed_commands", count, "Commands that were refused or failed."),
        Field("states", count, "States that were published."),
        Field("events", count, "Events that were published."),
        Field("streams", count, "Messages of streams that were published."),
        Field("counts", .map(count), "The counters of the devices, by name."),
    ]

    private static let fleetCounts = [
        Field(
            "hand_overs",
            .object([
                Field("released", count, "Devices whose bridge had lost or closed the link."),
                Field("died", count, "Devices whose bridge had gone offline."),
                Field("advertised", count, "Devices that advertised while their bridge claimed them."),
                Field("contested", count, "Devices whose bridge was not known to have lost the link."),
            ]), "Devices taken over from another bridge, by cause."),
        Field("offers", count, "Offers to connect that were published to other bridges."),
        Field("conflicts", count, "How often another bridge claimed a link that this bridge had."),
        Field("orphans", count, "Devices without a bridge, which this bridge reports as offline."),
        Field(
            "hand_over_time", .object(times),
            "How long devices that were taken over had no bridge, if known."),
    ]

    private static let count = FieldType.integer(0...Int.max)

    private static let times = [
        Field("count", count, "How many."),
        Field("p50_ms", .number(0...Double(Int.max)), unit: "ms", "The median."),
        Field("p99_ms", .number(0...Double(Int.max)), unit: "ms", "The 99th percentile."),
        Field("max_ms", .number(0...Double(Int.max)), unit: "ms", "The maximum."),
    ]

    private static let mqtt = [
        Field("in", count, "Messages that arrived."),
        Field("out", count, "Messages that were sent."),
        Field("acknowledged", count, "Messages that the broker acknowledged."),
        Field("repeated", count, "Messages that were sent again after a lost connection."),
        Field(
            "dropped",
            .object([
                Field("events", count, "Events that were dropped because the queue was full."),
                Field(
                    "streams", count,
                    "Stream messages that were dropped because the broker was slow or unreachable."),
                Field("replies", count, "Answers to a connection that had ended."),
                Field("refused", count, "Messages that the broker refused."),
            ]), "Messages that were lost."),
        Field("queue_depth", count, "How many messages wait for the broker."),
        Field("in_flight", count, "How many messages the broker has not acknowledged yet."),
        Field("reconnects", count, "How often the bridge reconnected to the broker."),
        Field(
            "latency", .object(times),
            "The latency of acknowledgments; a single acknowledgment is read up to 2 ms late."),
    ]
}
