import BlueZ
import Bluetooth
import DBus

/// What BlueZ tells of itself: its version, its adapters, and who uses what.
package struct BlueZFacts: Hashable, Sendable {
    package struct Controller: Hashable, Sendable {
        /// `hci0`
        var name: String
        var isPowered: Bool
        /// Whether it can speak with devices of Bluetooth Low Energy; nil where BlueZ does not tell (before 5.51).
        var isLowEnergy: Bool?
        /// Its address, where BlueZ tells it.
        var address: Bluetooth.Address?
        /// The bridge that uses it, or another program that keeps bridges off it; nil without one.
        var holder: AdapterHolder?
    }

    /// A device to which the host has a link.
    struct Linked: Hashable, Sendable {
        var address: Bluetooth.Address
        var name: String?
        var services: Set<Bluetooth.UUID>
        /// Whether a program on the bus has subscribed to something of it.
        var isSubscribed: Bool
    }

    /// `5.66`; nil where it is not told.
    var version: String?
    package var controllers: [Controller] = []
    var linked: [Linked] = []
    /// Whether notifications are to come through acquired sockets (`bluetooth.acquire`).
    var acquires = false

    var findings: [Finding] {
        guard let version else {
            return [
                .ok(
                    .bluez, "bluetoothd runs; its version is not told without an adapter",
                    ["bluetoothctl --version"])
            ]
        }
        guard let number = BlueZBug.Version(version) else {
            return [.ok(.bluez, "bluetoothd \(version) runs")]
        }
        let bugs = BlueZBug.all.filter { $0.versions.contains(number) && (acquires || !$0.isAboutAcquiring) }
        return [.ok(.bluez, "bluetoothd \(version) runs")]
            + bugs.map { .warning(.bluez, "BlueZ \(version): \($0.words)", [$0.remedy]) }
    }
}

extension BlueZFacts {
    /// Reads the answer of `GetManagedObjects`.
    ///
    /// An adapter names the roles that it can take; `central` stands for Low Energy (src/adapter.c,
    /// `property_get_roles`).
    init(managedObjects: Value) {
        let tree = ObjectTree(managedObjects: managedObjects)
        var roles: [ObjectPath: [String]] = [:]
        var subscribed: Set<ObjectPath> = []
        for entry in managedObjects.entries ?? [] {
            guard let path = entry.key.objectPath else { continue }
            let interfaces = ObjectSignal.interfaces(entry.value)
            roles[path] = interfaces[Names.adapter]?["Roles"]?.strings
            if interfaces[Names.characteristic]?["Notifying"]?.bool == true,
                let device = tree.characteristics[path]?.device
            {
                subscribed.insert(device)
            }
        }
        version = tree.adapters.values.compactMap(\.version).max()
        controllers = tree.adapters.values.sorted { $0.path < $1.path }.map { adapter in
            Controller(
                name: adapter.name, isPowered: adapter.isPowered,
                isLowEnergy: roles[adapter.path].map { $0.contains("central") }, address: adapter.address)
        }
        linked = tree.devices.values.filter(\.isConnected).sorted { $0.path < $1.path }.map { device in
            Linked(
                address: device.address, name: device.displayName, services: device.services,
                isSubscribed: subscribed.contains(device.path))
        }
    }
}
