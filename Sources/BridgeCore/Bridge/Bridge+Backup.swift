import Bluetooth
import DeviceKit
import JSON
import Logging

// What moves a bridge to another host.
extension Bridge {
    /// The request for all that another host needs.
    static let backupRequest = Feature(
        "backup",
        "Answers with the devices that joined, their names, and the settings, for restore; no secret and no bond.",
        command: Command(
            [], empty: [:],
            answers: [
                Field("backup", .object(Backup.fields), "What restore takes."),
                Field(
                    "left_out", .list(.text(1...Int.max), count: 0...10_000),
                    "The settings that are given here but not part of it: secrets and credentials."),
                Field(
                    "pair_again", .list(.text(1...256), count: 0...10_000),
                    "The devices that must be paired again on another host, those of the configuration included."
                ),
            ], example: [:]))

    /// The request to take the devices of a backup.
    ///
    /// A request, and no command that writes the state file: while a bridge runs only it may write its state, and does
    /// so as its own user, which a person at a shell is not. So the devices come at once, in one bridge, and what
    /// cannot be taken is answered with a reason. Settings stay what the configuration file says: a service may not
    /// write that file, and a message over the network must not choose the broker or the role of a user.
    static let restoreRequest = Feature(
        BridgeFeatures.restoreName,
        "Takes the devices of a backup with their names, as if they had joined here; settings are compared only.",
        command: Command(
            [Field("backup", .object(Backup.fields), required: true, "What backup answered with.")],
            answers: [
                Field("restored", names, "The devices that have their names of the backup here."),
                Field(
                    "skipped",
                    .list(
                        .object([
                            Field("device", .text(0...Int.max), "Its name in the backup."),
                            Field("reason", .text(0...Int.max), "Why it was not taken."),
                        ]), count: 0...10_000), "The devices that were not taken."),
                Field("pair_again", names, "Those restored that must be paired on this host."),
                Field(
                    "settings_differ", names,
                    "The settings, devices and groups that this bridge's configuration has not, or otherwise."
                ),
            ],
            example: [
                "backup": [
                    "version": 1,
                    "devices": [["name": "belt", "family": "belt", "address": "AA:BB:CC:DD:EE:FF"]],
                ]
            ]))

    private static let names = FieldType.list(.text(0...Int.max), count: 0...10_000)

    // MARK: Backup

    /// What another host needs.
    var backup: JSON.Object {
        let configuration = world.configuration.backup
        let devices = kept.state.devices.filter { $0.isJoined && settings[$0.address] == nil }.map { device in
            let session = fleet[device.address]
            var device = device
            device.name = session?.name ?? device.name
            return JSON.Value.object(
                Backup.object(device, isBonded: session.map { $0.isBoundToHost } ?? false))
        }
        let bound = fleet.all.filter(\.isBoundToHost).map(\.name).sorted()
        return [
            "backup": [
                "version": .integer(Backup.version), "bridge": .string(settings.id),
                "program": .string(settings.version), "time": .string(world.time.date.description),
                "devices": .array(devices), "settings": .object(configuration.settings),
            ],
            "left_out": .array(configuration.leftOut.map { .string($0) }),
            "pair_again": .array(bound.map { .string($0) }),
        ]
    }

    // MARK: Restore

    /// Takes the devices of a backup; each that cannot be taken is left out, with the reason.
    func restore(_ arguments: Arguments) -> JSON.Object {
        let backup = arguments["backup"]?.object ?? [:]
        let rules = NameRules(families: families, reserved: settings.reservedNames)
        let groups = settings.groups.map(\.name)
        var taken = Dictionary(fleet.all.map { ($0.name, $0.family.name) }) { first, _ in first }
        var (restored, skipped, again) = ([String](), [JSON.Value](), [String]())
        for entry in backup["devices"]?.array?.compactMap(\.object) ?? [] {
            let key = entry["family"]?.string.flatMap { fleet.family($0) }?.latching?.memoryKey
            guard let device = Backup.read(entry, released: key) else { continue }
            let before = fleet[device.address]?.name
            if let before { taken[before] = nil }
            do throws(CommandError) {
                let family = try family(of: device)
                let complaint = rules.complaint(
                    device: device.name, family: family.name, groups: groups, devices: taken)
                if let complaint { throw CommandError(.invalidValue, complaint) }
                try take(device, family)
                taken[device.name] = family.name
                restored.append(device.name)
                if entry["bonded"] == true { again.append(device.name) }
            } catch {
                if let before { taken[before] = device.family }
                skipped.append(["device": .string(device.name), "reason": .string(error.message)])
            }
        }
        reportDevices()
        updateDiscovery()
        logger.notice(
            "a backup was restored",
            metadata: [
                "from": "\(backup["bridge"]?.string ?? "")", "devices": "\(restored.count)",
                "skipped": "\(skipped.count)",
            ])
        let differences = world.configuration.backup.differences(from: backup["settings"]?.object ?? [:])
        func texts(_ texts: [String]) -> JSON.Value { .array(texts.map { .string($0) }) }
        return [
            "restored": texts(restored), "skipped": .array(skipped), "pair_again": texts(again),
            "settings_differ": texts(differences),
        ]
    }

    /// The family of a device that may be taken.
    private func family(of device: BridgeState.Device) throws(CommandError) -> any DeviceFamily {
        guard let family = fleet.family(device.family) else {
            let known = families.map(\.name).joined(separator: " ")
            throw CommandError(
                .invalidValue, "the family \(device.family) is not known here; allowed: \(known)")
        }
        if settings[device.address] != nil {
            throw CommandError(.notSupported, "it stands in the configuration of this bridge")
        }
        guard settings.join != .configured else {
            throw CommandError(
                .notSupported, "bluetooth.join is configured: name it under devices in the configuration")
        }
        if let present = fleet[device.address]?.family.name, present != device.family {
            throw CommandError(.invalidValue, "this bridge has it already, as one of the family \(present)")
        }
        return family
    }

    private func take(_ device: BridgeState.Device, _ family: any DeviceFamily) throws(CommandError) {
        let address = device.address
        let present = fleet[address]
        if present == nil, room(for: 1) < 1 { throw CommandError(.notSupported, limitComplaint) }
        guard fleet.names.rename(address, to: device.name) else {
            throw CommandError(.invalidValue, "another device has this name")
        }
        if let present {
            if present.name != device.name {
                rename(present, to: device.name)
                writeRoster(address)
            }
            return
        }
        keep { $0.remember(device, at: address) { $0 = device } }
        addSession(family, address, settings: settings.families[family.name] ?? Arguments())
        writeRoster(address)
        if let session = fleet[address] { reportEvent("device_joined", describe(session)) }
    }
}

extension DeviceSession {
    /// Whether another host has to be paired with the device anew: a bond is this host's. Of a device that can do
    /// without one it is known only while there is a link.
    var isBoundToHost: Bool {
        switch family.requirements.bonding {
        case .none: false
        case .always: true
        case .onDemand: connector.isBonded || !isReady
        }
    }
}
