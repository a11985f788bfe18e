package import BridgeContract
import BridgeParts
import Claims
import DeviceKit

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
