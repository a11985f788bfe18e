package import BridgeContract
package import DeviceKit
package import JSON

/// When the bridge was started, when its metrics are due, and the counters of removed devices.
package struct StatsRecord: Sendable {
    /// The date of the bridge's start.
    package let started: TimeStamp
    /// Counters of what happened between this bridge and other bridges, such as handovers of devices.
    package var fleet = FleetCounters()
    private let startedAt: Duration
    private var last: Duration
    private var retired: [String: DeviceCounters] = [:]

    package init(at now: Duration, date: TimeStamp) {
        (started, startedAt, last) = (date, now, now)
    }

    /// The time since the bridge's start, in seconds.
    package func uptime(at now: Duration) -> Int { Int((now - startedAt).components.seconds) }

    /// When the next metrics are due: one interval after the last metrics.
    package func next(every interval: Duration) -> Duration { last + interval }

    /// Records that the metrics are published now, which starts the next interval.
    package mutating func report(at now: Duration) { last = now }

    /// Adds the counters of a removed device to the sum for its family, which therefore never decreases.
    package mutating func retire(_ counters: DeviceCounters, of family: String) {
        retired[family, default: DeviceCounters()].add(counters)
    }

    /// The metrics of the families that have or had devices.
    ///
    /// - Parameter devices: The present devices, with family, online state and counters.
    package func families(
        _ names: [String],
        _ devices: some Sequence<(family: String, isOnline: Bool, counters: DeviceCounters)>
    ) -> JSON.Object {
        var found: [String: (count: Int, online: Int, counters: DeviceCounters)] = [:]
        for (family, counters) in retired { found[family] = (0, 0, counters) }
        for device in devices {
            var entry = found[device.family] ?? (0, 0, DeviceCounters())
            entry.count += 1
            entry.online += device.isOnline ? 1 : 0
            entry.counters.add(device.counters)
            found[device.family] = entry
        }
        return JSON.Object(
            names.compactMap { name in
                found[name].map { entry in
                    var object: JSON.Object = [
                        "devices": .integer(entry.count), "online": .integer(entry.online),
                    ]
                    for member in entry.counters.object.members { object[member.key] = member.value }
                    return (name, JSON.Value.object(object))
                }
            })
    }
}
