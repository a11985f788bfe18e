import Bluetooth
import BridgeContract
import BridgeParts
import Claims
import DeviceKit
import Logging

// Devices whose bridge is gone, and that no other one need have heard: the fleet knows them, so that one of the bridges
// that are left can speak for each, say that it is away, answer its commands, and look for it.
extension Bridge {
    /// How long a bridge may be gone before its devices are taken up: a restart takes less.
    static let orphanTime = Duration.seconds(10)

    /// A bridge is gone, or it is known now which bridges are there.
    func expectOrphans() {
        guard usesRoster, !clockwork.runs(.orphans) else { return }
        startTimer(.orphans, at: world.time.now + Self.orphanTime)
    }

    func orphansAreDue() { spawn { await $0.takeUpOrphans() } }

    /// Takes up the devices of bridges that are gone, as far as this bridge is the first one for them.
    private func takeUpOrphans() async {
        guard usesRoster, !isStopping, !draining.isOn, broker.status.isConnected else { return }
        let (others, now) = (broker.peers.claiming, world.time.now)
        var names: [String] = []
        var next: Duration?
        for (address, claim) in holders.claims where fleet[address] == nil && fleet.names[address] == nil {
            guard broker.peers.life(of: claim, at: now) == .dead, !admission.wasTurnedAway(address),
                let entry = roster.roster.entries[address],
                let family = fleet.family(entry.family),
                Rendezvous.place(of: settings.id, among: others, for: address) == 0
            else { continue }
            // Each bridge has its time to come back.
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
        logger.info("taken up, since their bridge is gone", metadata: ["devices": "\(names.count)"])
        await carryOut(planFleet(before: settings.devices))
        updateDiscovery()
    }
}
