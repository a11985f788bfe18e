package import BridgeContract
import BridgeParts
import Claims
import DeviceKit

extension Bridge {
    /// The number of devices whose topics this bridge owns although no bridge is connected to them.
    var orphanCount: Int { fleet.all.count { $0.ownership.isOurs && !$0.holdsLink } }

    /// Returns the current metrics. The intervals of `stats` are not affected.
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
