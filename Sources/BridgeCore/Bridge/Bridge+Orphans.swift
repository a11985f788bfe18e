import Bluetooth
import BridgeContract
import BridgeParts
import Claims
import DeviceKit
import Logging

// Orphans: devices whose bridge is offline and which possibly no other bridge has in range. They are on the roster, so
// one of the remaining bridges owns each device. This bridge reports the device as offline, answers its commands and
// searches for it.
extension Bridge {
    /// How long a bridge must be offline before another bridge adds its devices; a restart takes less time.
    static let orphanTime = Duration.seconds(10)

    /// Schedules the check for orphans. Called when a bridge goes offline, and when it becomes known which bridges are
    /// online.
    func expectOrphans() {
        guard usesRoster, !timers.runs(.orphans) else { return }
        startTimer(.orphans, at: ports.time.now + Self.orphanTime)
    }

    func orphansAreDue() { spawn { await $0.takeUpOrphans() } }

    /// Adds the devices of offline bridges for which this bridge comes first by ``Rendezvous``.
    private func takeUpOrphans() async {
        guard usesRoster, !isStopping, !draining.isOn, broker.status.isConnected else { return }
        let (others, now) = (broker.peers.claiming, ports.time.now)
        var names: [String] = []
        var next: Duration?
        for (address, claim) in holders.claims where fleet[address] == nil && fleet.names[address] == nil {
            guard broker.peers.life(of: claim, at: now) == .dead, !admission.wasTurnedAway(address),
                let entry = roster.roster.entries[address],
                let family = fleet.family(entry.family),
                Rendezvous.place(of: settings.id, among: others, for: address) == 0
            else { continue }
            // The offline bridge may return within this time.
            if let due = broker.peers.goneSince(claim.bridge).map({ $0 + Self.orphanTime }), due > now {
                next = min(next ?? due, due)
                continue
            }
            let device = BridgeState.Device(
                address: address, family: family.name,
                name: allowedName(entry, family) ?? "\(family.name)/\(address.suffix)",
                settings: entry.settings)
            keep { $0.remember(device, at: address) { $0.isJoined = true } }
            names.append(entry.name)
        }
        if let next { startTimer(.orphans, at: next) }
        guard !names.isEmpty else { return }
        logger.info(
            "this bridge adopted devices whose bridge is gone", metadata: ["devices": "\(names.count)"])
        await carryOut(planFleet(before: settings.devices))
        updateDiscovery()
    }
}
