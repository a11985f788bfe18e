import Bluetooth
import BridgeContract
import BridgeParts
import DeviceKit
import JSON
import Logging

// The request `restore`, which adds the devices of a backup on another host.
extension Bridge {
    /// The state of a restore while it decides about the devices of a backup one by one.
    private struct Restoring {
        var rules: NameRules
        var groups: [String]
        /// The names that devices of this bridge have now, with the family of each device.
        var taken: [String: String]
        /// How many more devices may be added. The key is true for devices that only advertise, false for devices that
        /// are connected.
        var room: [Bool: Int]
        /// The names of all devices in the backup.
        var names: Set<String> = []
        /// The former names of the restored devices.
        var former: Set<String> = []
        var arriving: [FleetPlan.Member] = []
        var restored: [String] = []
        var skipped: [JSON.Value] = []
        var again: [String] = []
    }

    /// Adds the devices of a backup. A device that cannot be added is skipped, with the reason.
    func restore(_ arguments: Arguments, _ pending: PendingRequest) {
        let backup = arguments["backup"]?.object ?? [:]
        spawn { bridge in
            let answer = await bridge.restore(backup)
            bridge.answer(pending, answer)
        }
    }

    private func restore(_ backup: JSON.Object) async -> Answer {
        var restoring = Restoring(
            rules: nameRules,
            groups: settings.groups.map(\.name),
            taken: Dictionary(fleet.all.map { ($0.name, $0.family.name) }) { first, _ in first },
            room: [
                false: room(for: .max, onlyAdvertise: false), true: room(for: .max, onlyAdvertise: true),
            ])
        let devices = backup["devices"]?.array?.compactMap(\.object) ?? []
        restoring.names = Set(devices.compactMap { $0["name"]?.string })
        for entry in devices { plan(entry, &restoring) }
        await takeUp(restoring.arriving)
        guard !isStopping else { return .failed(.busy, "the bridge is stopping") }
        for session in restoring.arriving.compactMap({ fleet[$0.address] }) {
            writeRoster(session.address)
            reportEvent("device_joined", describe(session))
        }
        updateDiscovery()
        logger.notice(
            "a backup was restored",
            metadata: [
                "from": "\(backup["bridge"]?.string ?? "")", "devices": "\(restoring.restored.count)",
                "skipped": "\(restoring.skipped.count)",
            ])
        let differences = ports.configuration.backup.differences(from: backup["settings"]?.object ?? [:])
        func texts(_ texts: [String]) -> JSON.Value { .array(texts.map { .string($0) }) }
        return .ok([
            "restored": texts(restoring.restored), "skipped": .array(restoring.skipped),
            "pair_again": texts(restoring.again), "settings_differ": texts(differences),
        ])
    }

    /// Gives a device of the backup its name, if the bridge may add it.
    private func plan(_ entry: JSON.Object, _ restoring: inout Restoring) {
        let key = entry["family"]?.string.flatMap { fleet.family($0) }?.latching?.memoryKey
        guard var device = Backup.read(entry, latchKey: key) else { return }
        let before = fleet.names[device.address]
        if let before { restoring.taken[before] = nil }
        do throws(CommandError) {
            let family = try family(of: device)
            let complaint = restoring.rules.complaint(
                device: device.name, family: family.name, groups: restoring.groups, devices: restoring.taken)
            if let complaint { throw CommandError(.invalidValue, complaint) }
            device.formerNames = device.formerNames.filter { former in
                isFree(former: former, of: device, restoring)
            }
            try name(device, family, &restoring)
            restoring.taken[device.name] = family.name
            restoring.former.formUnion(device.formerNames)
            restoring.restored.append(device.name)
            if entry["bonded"] == true { restoring.again.append(device.name) }
        } catch {
            if let before { restoring.taken[before] = device.family }
            restoring.skipped.append(["device": .string(device.name), "reason": .string(error.message)])
        }
    }

    /// Whether a device may obey stops under a former name of the backup. It may not if another device has or had
    /// that name, or if the name is reserved.
    private func isFree(former name: String, of device: BridgeState.Device, _ restoring: Restoring) -> Bool {
        let others = formerNames.addresses(of: name).filter { $0 != device.address }
        let owner = fleet.names.address(of: name) ?? device.address
        return others.isEmpty && owner == device.address && !restoring.names.contains(name)
            && !restoring.former.contains(name)
            && restoring.rules.complaint(
                device: name, family: device.family, groups: restoring.groups, devices: [:]) == nil
    }

    /// Returns the family of a device; throws if the bridge may not add the device.
    private func family(of device: BridgeState.Device) throws(CommandError) -> any DeviceFamily {
        guard let family = fleet.family(device.family) else {
            let known = families.map(\.name).joined(separator: " ")
            throw CommandError(
                .invalidValue, "this bridge does not know the family \(device.family); allowed: \(known)")
        }
        if settings[device.address] != nil {
            throw CommandError(.notSupported, "it is in the configuration of this bridge")
        }
        guard settings.join != .configured else {
            throw CommandError(
                .notSupported, "bluetooth.join is configured: add it under devices in the configuration")
        }
        if let present = fleet[device.address]?.family.name, present != device.family {
            throw CommandError(.invalidValue, "this bridge already has it, in the family \(present)")
        }
        return family
    }

    private func name(
        _ device: BridgeState.Device, _ family: any DeviceFamily, _ restoring: inout Restoring
    ) throws(CommandError) {
        let address = device.address
        // A device that another restore is adding has a name but no session yet.
        let isNew = fleet.names[address] == nil
        let onlyAdvertises = family.advertising != nil
        if isNew, restoring.room[onlyAdvertises, default: 0] < 1 {
            throw CommandError(.notSupported, limitComplaint(onlyAdvertise: onlyAdvertises))
        }
        guard fleet.names.rename(address, to: device.name) else {
            throw CommandError(.invalidValue, "another device has this name")
        }
        if let present = fleet[address] {
            if present.name != device.name {
                rename(present, to: device.name)
                writeRoster(address)
            }
            return
        }
        if isNew { restoring.room[onlyAdvertises, default: 0] -= 1 }
        keep { $0.remember(device, at: address) { $0 = device } }
        restoring.arriving.append(
            FleetPlan.Member(
                name: device.name, family: family.name, revision: family.revision, address: address,
                settings: settings.settings(of: family)))
    }
}
