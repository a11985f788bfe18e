import Bluetooth
import JSON

/// What the bridges of a wave published before the upgrade, with which the gates compare what they publish afterwards.
struct WaveGates: Sendable {
    typealias Failure = UpgradeProgress.Failure

    /// A latency may grow to twice the earlier one; earlier ones below 100 ms count as 100 ms.
    private static let latencyFactor = 2.0
    private static let leastLatency = 100.0
    /// The 99th percentile of fewer values says little.
    private static let leastCount = 10
    /// The share of failed commands or writes may grow by 10 percentage points.
    private static let shareMargin = 0.1

    private static let latencies = [
        (path: ["commands"], name: "commands"), (path: ["echo"], name: "messages to itself"),
        (path: ["mqtt", "latency"], name: "acknowledgments of the broker"),
    ]

    let hosts: [UpgradePlan.Host]
    let gates: [UpgradeGate]
    private let before: [String: FleetSnapshot.Bridge]
    /// The states when the bridges had returned with the new version.
    private var returned: [String: FleetSnapshot.Bridge] = [:]
    /// The devices that were online on the hosts of the wave, with their names.
    private let devices: [Address: String]

    /// - Parameter fleet: The fleet before the upgrade of the wave.
    init(_ gates: [UpgradeGate], of hosts: [UpgradePlan.Host], _ fleet: FleetSnapshot) {
        (self.gates, self.hosts) = (gates, hosts)
        before = fleet.bridges
        devices = fleet.onlineDevices(on: hosts.map(\.bridge))
    }

    /// Records that the bridges are online with the new version.
    mutating func note(returned fleet: FleetSnapshot) { returned = fleet.bridges }

    /// The longest interval at which the bridges of the wave published metrics before.
    var longestInterval: Duration {
        .seconds(hosts.map { before[$0.bridge]?.stats["interval_s"]?.integer ?? 0 }.max() ?? 0)
    }

    /// Whether a bridge started again after its upgrade.
    func hasRestarted(_ fleet: FleetSnapshot) -> Bool {
        hosts.contains { isRestarted($0.bridge, fleet.bridges[$0.bridge]) }
    }

    private func isRestarted(_ id: String, _ bridge: FleetSnapshot.Bridge?) -> Bool {
        bridge?.info["started"] != returned[id]?.info["started"]
    }

    /// The gates that fail.
    ///
    /// - Parameters:
    ///   - version: The version that the bridges must have.
    ///   - fleet: The fleet now.
    func failures(_ version: String, _ fleet: FleetSnapshot) -> [Failure] {
        var failures = hosts.flatMap { host in
            let bridge = fleet.bridges[host.bridge] ?? FleetSnapshot.Bridge()
            return reasons(host.bridge, bridge, version).map { Failure(bridge: host.bridge, reason: $0) }
        }
        guard gates.contains(.offline) else { return failures }
        let online = fleet.onlineDevices(on: Array(fleet.bridges.keys))
        for (address, device) in devices.sorted(by: { $0.value < $1.value }) where online[address] == nil {
            let bridge = hosts.first { host in
                before[host.bridge]?.devices.contains { $0["name"]?.string == device } ?? false
            }
            failures.append(
                Failure(
                    bridge: bridge?.bridge ?? "", reason: "offline: \(device) was online before the upgrade"))
        }
        return failures
    }

    private func reasons(_ id: String, _ bridge: FleetSnapshot.Bridge, _ version: String) -> [String] {
        guard bridge.isOnline == true else { return ["the bridge is offline"] }
        if let found = bridge.info["version"]?.string, found != version {
            return ["the bridge has version \(found), not \(version)"]
        }
        let old = before[id] ?? FleetSnapshot.Bridge()
        var reasons = gates.contains(.errors) ? errors(id, bridge, old) : []
        guard gates.contains(.errors) || gates.contains(.latency) else { return reasons }
        guard bridge.stats["time"] != returned[id]?.stats["time"] else {
            return reasons + ["the bridge published no stats after the upgrade"]
        }
        if gates.contains(.errors) { reasons += counted(bridge.stats, old.stats) }
        if gates.contains(.latency) { reasons += slow(bridge.stats, old.stats) }
        return reasons
    }

    /// New problems that `info` shows.
    private func errors(
        _ id: String, _ bridge: FleetSnapshot.Bridge, _ old: FleetSnapshot.Bridge
    ) -> [String] {
        var reasons = isRestarted(id, bridge) ? ["errors: the bridge started again"] : []
        if old.info["guardian"] == true, bridge.info["guardian"] == false {
            reasons.append("errors: no guardian is running")
        }
        if old.info.hasAdapter, !bridge.info.hasAdapter {
            reasons.append("errors: no Bluetooth adapter is ready")
        }
        return reasons
    }

    /// New problems that the counters in `stats` show; they start at zero with each start of a bridge.
    private func counted(_ stats: JSON.Object, _ old: JSON.Object) -> [String] {
        var reasons: [String] = []
        let refused = stats.refusedTopics.subtracting(old.refusedTopics).sorted()
        if !refused.isEmpty {
            reasons.append("errors: the broker refuses \(refused.prefix(3).joined(separator: " "))")
        }
        if let lost = stats.number(["mqtt", "dropped", "events"]), lost > 0 {
            reasons.append("errors: \(Int(lost)) events were lost")
        }
        for counter in ["commands", "writes"] {
            let (now, earlier) = (stats.failures(of: counter), old.failures(of: counter))
            if now.failed >= Self.leastCount, now.share > earlier.share + Self.shareMargin {
                reasons.append(
                    "errors: \(now.failed) of \(now.all) \(counter) failed; before: \(earlier.failed) of \(earlier.all)"
                )
            }
        }
        return reasons
    }

    /// Latencies that grew.
    private func slow(_ stats: JSON.Object, _ old: JSON.Object) -> [String] {
        Self.latencies.compactMap { path, name in
            guard let count = stats.number(path + ["count"]), count >= Double(Self.leastCount),
                let now = stats.number(path + ["p99_ms"])
            else { return nil }
            let earlier = old.number(path + ["p99_ms"]) ?? 0
            let allowed = Self.latencyFactor * max(earlier, Self.leastLatency)
            guard now > allowed else { return nil }
            func text(_ value: Double) -> String { JSON.Value.number(value).description }
            return
                "latency: \(name) take \(text(now)) ms (99th percentile); before: \(text(earlier)) ms, "
                + "allowed: \(text(allowed)) ms"
        }
    }
}

extension FleetSnapshot {
    /// The names of the devices that are online on some bridges, by address.
    func onlineDevices(on ids: [String]) -> [Address: String] {
        var found: [Address: String] = [:]
        for bridge in ids.compactMap({ bridges[$0] }) where bridge.isOnline == true {
            for device in bridge.devices where device["availability"] == "online" {
                if let address = device["address"]?.string.flatMap({ Address($0) }) {
                    found[address] = device["name"]?.string ?? address.description
                }
            }
        }
        return found
    }
}

extension JSON.Object {
    /// Whether `info` lists an adapter that is switched on.
    fileprivate var hasAdapter: Bool {
        self["adapters"]?.array?.contains { $0["powered"] == true } ?? false
    }

    /// The topics in `stats` that the broker refuses.
    fileprivate var refusedTopics: Set<String> {
        Set(self["refused"]?.array?.compactMap { $0["topic"]?.string } ?? [])
    }

    fileprivate func number(_ path: [String]) -> Double? {
        path.reduce(JSON.Value.object(self)) { $0?[$1] }?.double
    }

    /// How many commands or writes of all families in `stats` failed.
    fileprivate func failures(of counter: String) -> (failed: Int, all: Int, share: Double) {
        let families = self["families"]?.object?.members.map(\.value) ?? []
        func sum(_ key: String) -> Int { families.reduce(0) { $0 + ($1[key]?.integer ?? 0) } }
        let failed = sum("failed_\(counter)")
        let all = failed + sum(counter)
        return (failed, all, all == 0 ? 0 : Double(failed) / Double(all))
    }
}
