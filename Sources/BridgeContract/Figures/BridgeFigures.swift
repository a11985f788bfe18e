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

        package init(
            name: String, family: String, isOnline: Bool, signal: Int?, counters: DeviceCounters
        ) {
            self.name = name
            self.family = family
            self.isOnline = isOnline
            self.signal = signal
            self.counters = counters
        }
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

    package init(
        isBrokerConnected: Bool, adapters: Int, isGuardianRunning: Bool, refusedTopics: Int,
        fleet: FleetCounters = FleetCounters(), orphans: Int = 0, devices: [Device]
    ) {
        self.isBrokerConnected = isBrokerConnected
        self.adapters = adapters
        self.isGuardianRunning = isGuardianRunning
        self.refusedTopics = refusedTopics
        self.fleet = fleet
        self.orphans = orphans
        self.devices = devices
    }

    /// What the bridge waits for, else how many of its devices are online: a line for a person.
    package var condition: String {
        let absent = (isBrokerConnected ? [] : ["the broker"]) + (adapters > 0 ? [] : ["a Bluetooth adapter"])
        guard absent.isEmpty else { return "waiting for \(absent.joined(separator: " and "))" }
        return "devices online: \(devices.count(where: \.isOnline)) of \(devices.count)"
    }
}
