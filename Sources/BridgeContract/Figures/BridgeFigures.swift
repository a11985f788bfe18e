import DeviceKit

/// The state of the bridge and its devices, for monitoring programs.
package struct BridgeFigures: Sendable {
    /// A device, and its counters since the bridge added it.
    package struct Device: Sendable {
        /// The device's name, which is the root of its topics.
        package var name: String
        package var family: String
        package var isOnline: Bool
        /// The newest signal strength, in dBm.
        package var signal: Int?
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

    package var isBrokerConnected: Bool
    /// The number of Bluetooth adapters that are ready.
    package var adapters: Int
    package var isGuardianRunning: Bool
    /// The number of topics that the broker has refused on this connection.
    package var refusedTopics: Int
    package var fleet = FleetCounters()
    /// The number of devices whose topics this bridge publishes although no bridge is connected to them.
    package var orphans = 0
    /// The devices, sorted by name.
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

    /// The reasons why the bridge cannot execute every command, in words; empty if there are none.
    package var missing: [String] {
        var missing = isBrokerConnected ? [] : ["no connection to the broker"]
        if adapters == 0 { missing.append("no Bluetooth adapter is ready") }
        if !isGuardianRunning { missing.append("no guardian process is running") }
        if refusedTopics > 0 { missing.append("the broker refuses \(refusedTopics) topics") }
        return missing
    }

    /// One line for users: the missing broker or adapter, otherwise how many devices are online.
    package var condition: String {
        let absent = (isBrokerConnected ? [] : ["the broker"]) + (adapters > 0 ? [] : ["a Bluetooth adapter"])
        guard absent.isEmpty else { return "waiting for \(absent.joined(separator: " and "))" }
        return "devices online: \(devices.count(where: \.isOnline)) of \(devices.count)"
    }
}
