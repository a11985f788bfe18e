import BridgeContract
import BridgeParts
import DeviceKit
import JSON
import Messages

// Periodic metrics on the topic `stats`.
extension Bridge {
    /// Schedules the next report of the metrics, one interval after the last report.
    func armStats() { startTimer(.stats, at: record.next(every: settings.statsInterval)) }

    func statsAreDue() {
        record.report(at: ports.time.now)
        armStats()
        if !isStopping { spawn { await $0.reportStats() } }
    }

    private func reportStats() async {
        guard broker.status.isConnected else { return }
        let stats = stats(await ports.broker.statistics())
        ports.broker.publish(
            OutgoingMessage(
                topic: topics.own("stats"), payload: JSON.Value.object(stats).bytes, policy: .stream))
    }

    private func stats(_ statistics: BrokerStatistics) -> JSON.Object {
        let refused = broker.status.refusals.sorted { $0.key < $1.key }.map { topic, reason in
            JSON.Value.object(["topic": .string(topic), "reason": .string(reason)])
        }
        return [
            "time": .string(ports.time.date.description),
            "uptime_s": .integer(record.uptime(at: ports.time.now)),
            "interval_s": .integer(settings.statsInterval.milliseconds / 1000),
            "mqtt": .object(statistics.object), "commands": .object(takeCommandTimes().object),
            "echo": .object(Latencies(broker.echoes.takeTimes()).object), "families": .object(familyStats()),
            "fleet": .object(fleetStats()),
            "memory_bytes": ports.process.memory.map { .integer($0) } ?? .null,
            "refused": .array(refused), "refused_answers": .integer(broker.status.refusedAnswers),
        ]
    }

    private func takeCommandTimes() -> Latencies {
        Latencies(fleet.all.flatMap { $0.counters.takeAnswerTimes() })
    }

    private func fleetStats() -> JSON.Object {
        let times = Latencies(record.fleet.takeTimes())
        return record.fleet.object.adding("orphans", .integer(orphanCount))
            .adding("hand_over_time", .object(times.object))
    }

    private func familyStats() -> JSON.Object {
        record.families(
            families.map(\.name),
            fleet.all.lazy.map { ($0.family.name, isOnline: $0.isReady, counters: $0.counters) })
    }
}

extension BrokerStatistics {
    /// The metrics in the format of `stats`.
    fileprivate var object: JSON.Object {
        [
            "in": .integer(received), "out": .integer(sent), "acknowledged": .integer(acknowledged),
            "repeated": .integer(repeated),
            "dropped": [
                "events": .integer(dropped.events), "streams": .integer(dropped.streams),
                "replies": .integer(dropped.replies), "refused": .integer(dropped.refused),
            ],
            "queue_depth": .integer(queueDepth), "in_flight": .integer(inFlight),
            "reconnects": .integer(reconnects), "latency": .object(latency.object),
        ]
    }
}

extension Latencies {
    /// The metrics in the format of `stats`.
    fileprivate var object: JSON.Object {
        [
            "count": .integer(count), "p50_ms": Self.milliseconds(median),
            "p99_ms": Self.milliseconds(percentile99), "max_ms": Self.milliseconds(maximum),
        ]
    }

    private static func milliseconds(_ duration: Duration) -> JSON.Value {
        let (seconds, attoseconds) = duration.components
        let tenths = seconds * 10_000 + attoseconds / 100_000_000_000_000
        return tenths % 10 == 0 ? .integer(Int(tenths / 10)) : .number(Double(tenths) / 10)
    }
}
