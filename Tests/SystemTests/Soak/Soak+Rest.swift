import EventLoop
import HostTesting
import JSON

// The start and the end of a soak.
extension Soak {
    /// The resources of the bridge's process.
    struct Holdings: CustomStringConvertible {
        var descriptors: Int
        /// The private memory, in bytes.
        var memory: Int

        var description: String { "\(descriptors) descriptors, \(memory / 1024) kB" }
    }

    var holdings: Holdings? {
        guard let descriptors = bridge.openDescriptors, let memory = bridge.memory?.own else { return nil }
        return Holdings(descriptors: descriptors, memory: memory)
    }

    /// Waits until every device of the configuration file is online.
    func expectAllOnline(within limit: Duration) throws {
        var missing: [String] = []
        let isThere = attend(until: EventLoop.now + limit) {
            let figures = stats["families"]?.object?.members.map(\.value) ?? []
            missing = figures.map(\.description)
            return figures.reduce(0) { $0 + ($1["online"]?.integer ?? 0) } == fleet.present.count
        }
        guard isThere else {
            throw Missing(what: "\(fleet.present.count) devices online", seen: missing + log.suffix(40))
        }
    }

    /// Waits until all commands are answered and no message is in transit.
    func settle(within limit: Duration) throws {
        try catchUpWithSimulator()
        let end = EventLoop.now + limit
        guard attend(until: end, or: { commands.unpublished == 0 }) else {
            throw Missing(what: "the broker's word on \(commands.unpublished) commands", seen: log.suffix(40))
        }
        // Commands without an answer at that time stay without one.
        attend(until: end) { commands.owed.isEmpty }
        // A surplus answer or event arrives before the statistics of a later second.
        let count = statsCount
        attend(until: EventLoop.now + .seconds(60)) { statsCount >= count + 3 }
    }

    /// Ends all faults, and adds all devices again.
    func heal() throws {
        for adapter in 0..<Fleet.adapters { switchAdapter(adapter, isOn: true) }
        for device in Fleet.devices { try bench.act("unmute \(device.name)") }
        // A reload request may have been lost, and with it the change of a name. A device that was
        // disconnected by request while it was not in the file stays disconnected when it is added again.
        try reloadUntilAnswered(fleet.absent.map { .presence($0) })
        for device in released {
            try sendUntilAnswered("connect", "\"device\":\"\(fleet.topic(device))\"")
        }
        released = []
    }

    /// The retained messages of devices that are not in the configuration file.
    func leftOvers() throws -> [String] {
        let watcher = try bench.watchAnew()
        defer { bench.stopWatching() }
        let retained = watcher.seen.filter(\.isRetained).map(\.topic)
        let topics = Set(fleet.present.map(fleet.topic))
        let addresses = Set(fleet.present.map { $0.address.filter { $0 != ":" }.lowercased() })
        return retained.filter { topic in
            let first = topic.split(separator: "/").first.map(String.init) ?? ""
            if first == "homeassistant" {
                return !topic.contains("/tactile_bridge_bridge_")
                    && !addresses.contains { topic.lowercased().contains($0) }
            }
            if first == "claim" { return !addresses.contains { topic == "claim/\($0)" } }
            return first != "bridge" && !topics.contains(first)
        }
    }
}
