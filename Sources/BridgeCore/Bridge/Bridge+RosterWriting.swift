import Bluetooth
import BridgeContract
import BridgeParts
import DeviceKit
import HomeAssistant
import JSON
import Messages

// Entries that this bridge writes to the roster: devices that joined on this bridge, their names, and removals.
extension Bridge {
    /// Writes a device or its new name to the roster.
    func writeRoster(_ address: Address) { wish(.write, address) }

    /// Removes a forgotten device from the roster.
    func clearRoster(_ address: Address) { wish(.clear, address) }

    private func wish(_ wish: RosterDesk.Wish, _ address: Address) {
        guard usesRoster, settings[address] == nil else { return }
        roster.wish(wish, for: address)
        if roster.roster.isSettled { carryOutWishes() }
    }

    /// Writes devices that joined on this bridge and are missing on the roster, after an upgrade or if the broker lost
    /// its retained messages. Also writes changed names of the bridge's own devices.
    func writeMissing() {
        for session in fleet.all {
            let address = session.address
            guard settings[address] == nil, admission.underWay(address) == nil,
                kept[address]?.isJoined ?? false
            else { continue }
            let entry = roster.roster.entries[address]
            let isMissing = entry == nil && !roster.roster.unreadable.contains(address)
            let isOutdated = entry.map { $0.by == settings.id && $0.name != session.name } ?? false
            if isMissing || isOutdated { roster.wish(.write, for: address) }
        }
        carryOutWishes()
    }

    private func carryOutWishes() {
        guard !isStopping else { return }
        for (address, wish) in roster.takeWishes() {
            switch wish {
            case .write: put(address)
            case .clear:
                let name = roster.roster.entries[address]?.name
                roster.roster.drop(address)
                if let name { noteOwner(of: name) }
                publish([], on: RosterEntry.key(of: address))
            }
        }
    }

    private func put(_ address: Address) {
        guard let session = fleet[address] else { return }
        let before = roster.roster.entries[address] ?? roster.roster.misnamed[address]
        let entry = RosterEntry(
            address: address, name: session.name, family: session.family.name,
            settings: before?.settings ?? kept[address]?.settings ?? [:], preferred: before?.preferred ?? [],
            appearance: before?.appearance ?? .init(), by: settings.id, time: ports.time.date)
        guard !entry.isSame(as: before) else { return }
        _ = roster.roster.take(entry)
        for name in Set([before?.name, entry.name]).compactMap({ $0 }) { noteOwner(of: name) }
        publish(entry.payload, on: RosterEntry.key(of: address))
    }

    /// Records which device has a name according to the roster, unless the configuration assigns that name.
    private func noteOwner(of name: String) {
        guard !settings.devices.contains(where: { $0.name == name }) else { return }
        fleet.names.elsewhere[name] = roster.roster.owners[name]
    }

    private func publish(_ payload: [UInt8], on key: String) {
        let topic = topics.roster(key)
        roster.wrote(topic)
        ports.broker.publish(OutgoingMessage(topic: topic, payload: payload, policy: .state))
    }
}
