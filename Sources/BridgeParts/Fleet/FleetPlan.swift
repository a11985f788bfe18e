package import Bluetooth
package import BridgeContract
package import DeviceKit

/// Compares the configured devices with the present devices, and lists the changes between them.
///
/// The bridge makes the same comparison at its start, when no device is present. So a reload results in the same
/// devices as a restart.
package struct FleetPlan: Sendable {
    /// A device that the bridge has or is planned to have.
    package struct Member: Hashable, Sendable {
        package var name: String
        package var family: String
        /// The revision of the family. If it changes, the device's state machine is recreated.
        package var revision: String
        package var address: Address
        package var settings: Arguments

        package init(name: String, family: String, revision: String, address: Address, settings: Arguments) {
            self.name = name
            self.family = family
            self.revision = revision
            self.address = address
            self.settings = settings
        }
    }

    /// A device that the bridge keeps, before and after its name or settings change.
    package struct Change: Hashable, Sendable {
        package var before: Member
        package var after: Member
    }

    /// A name that a device cannot have, because the name is now reserved.
    package struct Refusal: Hashable, Sendable {
        package var name: String
        /// The device, with the name that it gets instead.
        package var member: Member
        /// Why the name is reserved, and which names are allowed.
        package var reason: String
    }

    /// The names of all planned devices.
    package private(set) var names: DeviceNames
    package private(set) var added: [Member] = []
    package private(set) var removed: [Member] = []
    /// The devices with changed settings, whether renamed or not. Their state machines are recreated.
    package private(set) var changed: [Change] = []
    /// The devices of which only the name changes.
    package private(set) var renamed: [Change] = []
    /// The configured names that no device can get.
    package private(set) var unplaced: [String] = []
    /// The names that are refused because they are reserved. Their devices are named `<family>/<id>`.
    package private(set) var refused: [Refusal] = []

    private var wanted: [Member] = []
    private let rules: NameRules

    package var isEmpty: Bool { added.isEmpty && removed.isEmpty && changed.isEmpty && renamed.isEmpty }

    /// - Parameters:
    ///   - present: The present devices.
    ///   - before: The devices of the previous configuration.
    ///   - settings: The new configuration.
    ///   - joined: The devices in the state file.
    ///   - names: The reserved names, without any assigned name.
    ///   - rules: The reserved names of families.
    package init(
        present: [Member], before: [BridgeSettings.Device], settings: BridgeSettings,
        joined: [BridgeState.Device], names: DeviceNames, rules: NameRules, families: [any DeviceFamily]
    ) {
        self.names = names
        self.rules = rules
        let current = Dictionary(present.map { ($0.address, $0) }) { first, _ in first }
        place(settings, before: before, current, families)
        if settings.join != .configured { place(joined: joined, settings, families) }
        compare(present, current)
    }

    /// Assigns the names of the configured devices. A name that is new in the configuration goes to its device,
    /// whichever device had it. A device that had to take a different name keeps the different name.
    private mutating func place(
        _ settings: BridgeSettings, before: [BridgeSettings.Device], _ current: [Address: Member],
        _ families: [any DeviceFamily]
    ) {
        let devices = settings.devices
        let old = Dictionary(before.map { ($0.address, $0.name) }) { first, _ in first }
        func hasName(_ device: BridgeSettings.Device) -> Bool {
            old[device.address] == device.name && current[device.address] != nil
        }
        for device in devices.filter({ !hasName($0) }) + devices.filter(hasName) {
            guard let family = families.named(device.family) else {
                unplaced.append(device.name)
                continue
            }
            let known = hasName(device) ? current[device.address]?.name : nil
            if let reason = rules.reservation(of: known ?? device.name, family: family.name) {
                refuse(known ?? device.name, family, device.address, settings.settings(of: device), reason)
                continue
            }
            if let known {
                if !names.assign(known, to: device.address) { _ = names.assign(family, device.address) }
            } else if !names.rename(device.address, to: device.name) {
                unplaced.append(device.name)
                continue
            }
            want(family, device.address, settings.settings(of: device))
        }
    }

    private mutating func place(
        joined devices: [BridgeState.Device], _ settings: BridgeSettings, _ families: [any DeviceFamily]
    ) {
        for device in devices where device.isJoined && names[device.address] == nil {
            guard let family = families.named(device.family) else { continue }
            if let reason = rules.reservation(of: device.name, family: family.name) {
                let settings = settings.settings(of: family, with: device.settings)
                refuse(device.name, family, device.address, settings, reason)
                continue
            }
            if !names.assign(device.name, to: device.address, of: family) {
                _ = names.assign(family, device.address)
            }
            want(family, device.address, settings.settings(of: family, with: device.settings))
        }
    }

    private mutating func refuse(
        _ name: String, _ family: any DeviceFamily, _ address: Address, _ settings: Arguments,
        _ reason: String
    ) {
        _ = names.assignNumbered(family, address)
        want(family, address, settings)
        if let member = wanted.last { refused.append(Refusal(name: name, member: member, reason: reason)) }
    }

    private mutating func want(_ family: any DeviceFamily, _ address: Address, _ settings: Arguments) {
        wanted.append(
            Member(
                name: names[address] ?? family.name, family: family.name, revision: family.revision,
                address: address,
                settings: settings))
    }

    private mutating func compare(_ present: [Member], _ current: [Address: Member]) {
        let addresses = Set(wanted.map(\.address))
        removed = present.filter { !addresses.contains($0.address) }
        for member in wanted {
            guard let before = current[member.address] else {
                added.append(member)
                continue
            }
            let change = Change(before: before, after: member)
            if before.family != member.family || before.revision != member.revision
                || before.settings != member.settings
            {
                changed.append(change)
            } else if before.name != member.name {
                renamed.append(change)
            }
        }
    }
}
