import BlueZ
import Bluetooth
import DBus

/// The state of BlueZ: its version, its adapters, and the programs that use them.
package struct BlueZFacts: Hashable, Sendable {
    package struct Controller: Hashable, Sendable {
        /// The name of the adapter: `hci0`.
        var name: String
        var isPowered: Bool
        /// Whether the adapter supports Bluetooth Low Energy; nil if BlueZ does not report that (before 5.51).
        var isLowEnergy: Bool?
        var address: Bluetooth.Address?
        /// The bridge that uses the adapter, or another program that owns the adapter's bus name; nil for none.
        var holder: AdapterHolder?
    }

    struct Linked: Hashable, Sendable {
        var address: Bluetooth.Address
        var name: String?
        var services: Set<Bluetooth.UUID>
        /// Whether a program on the bus has subscribed to a characteristic of the device.
        var isSubscribed: Bool
    }

    /// The version, such as `5.66`; nil if BlueZ does not report it.
    var version: String?
    package var controllers: [Controller] = []
    var linked: [Linked] = []
    /// Whether the bridge receives notifications through acquired sockets instead of as D-Bus signals (setting
    /// `bluetooth.acquire`).
    var acquires = false

    var findings: [Finding] {
        guard let version else {
            return [
                .ok(
                    .bluez, "bluetoothd is running; its version is unknown without an adapter",
                    ["bluetoothctl --version"])
            ]
        }
        guard let number = Version(version) else {
            return [.ok(.bluez, "bluetoothd \(version) is running")]
        }
        let bugs = BlueZBug.all.filter { $0.versions.contains(number) && (acquires || !$0.isAboutAcquiring) }
        return [.ok(.bluez, "bluetoothd \(version) is running")]
            + bugs.map { .warning(.bluez, "BlueZ \(version): \($0.words)", [$0.remedy]) }
    }
}

extension BlueZFacts {
    /// Reads the answer of `GetManagedObjects`.
    ///
    /// An adapter lists its supported roles. The role `central` requires Bluetooth Low Energy (src/adapter.c,
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
