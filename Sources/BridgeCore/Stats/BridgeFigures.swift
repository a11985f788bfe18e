import DeviceKit

/// The state of the bridge and its devices, for programs that watch it.
package struct BridgeFigures: Sendable {
    /// A device, and what happened to it since the bridge looks after it.
    package struct Device: Sendable {
        /// Its name, which is its topic.
        package var name: String
        /// Its family's name.
        package var family: String
        /// Whether it can be used.
        package var isOnline: Bool
        /// How well it is received, in dBm, as it was heard last.
        package var signal: Int?
        /// What was counted.
        package var counters: DeviceCounters
    }

    /// Whether there is a connection to the broker.
    package var isBrokerConnected: Bool
    /// How many Bluetooth adapters are ready.
    package var adapters: Int
    /// Whether a guardian runs.
    package var isGuardianRunning: Bool
    /// How many topics the broker has refused since the connection was made.
    package var refusedTopics: Int
    /// What happened between this bridge and others.
    package var fleet = FleetCounters()
    /// How many devices this bridge speaks for that no bridge has.
    package var orphans = 0
    /// The devices, by name.
    package var devices: [Device]

    /// What the bridge waits for, else how many of its devices are online: a line for a person.
    package var condition: String {
        let absent = (isBrokerConnected ? [] : ["the broker"]) + (adapters > 0 ? [] : ["a Bluetooth adapter"])
        guard absent.isEmpty else { return "waiting for \(absent.joined(separator: " and "))" }
        return "devices online: \(devices.count(where: \.isOnline)) of \(devices.count)"
    }
}

extension Bridge {
    /// How many devices this bridge speaks for that no bridge has.
    var orphanCount: Int { fleet.all.count { $0.ownership.isOurs && !$0.holdsLink } }

    /// Looks how everything stands now; nothing that `stats` tells of an interval is taken away from it.
    package func figures() -> BridgeFigures {
        let devices = fleet.all.map { session in
            BridgeFigures.Device(
                name: session.name, family: session.family.name, isOnline: session.isReady,
                signal: session.status.rssi, counters: session.counters)
        }
        return BridgeFigures(
            isBrokerConnected: broker.status.isConnected, adapters: radio.readyAdapters.count,
            isGuardianRunning: guardian.isRunning, refusedTopics: broker.status.refusals.count,
            fleet: record.fleet, orphans: orphanCount,
            devices: devices.sorted { $0.name < $1.name })
    }
}
