package import BlueZ
import Bluetooth
package import BridgeConfiguration
import BridgeContract
import DeviceKit
import StateFiles

/// The devices of the bridge: the devices in its configuration, and the devices in its state file.
package struct DeviceBook: Sendable {
    /// A device of the bridge.
    struct Entry: Hashable, Sendable {
        var address: Bluetooth.Address
        var name: String
        var family: String
        var standing: DeviceRow.Standing
    }

    private(set) var entries: [Bluetooth.Address: Entry] = [:]
    /// The families that are compared with a device of the host that the bridge does not know.
    let families: [any DeviceFamily]

    /// - Parameters:
    ///   - configured: The devices of the configuration.
    ///   - state: The state with joined and disconnected devices.
    ///   - onlyConfigured: Whether only devices of the configuration are connected (`bluetooth.join`).
    init(
        configured: [BridgeSettings.Device], state: BridgeState, onlyConfigured: Bool,
        families: [any DeviceFamily] = []
    ) {
        self.families = families
        for device in state.devices where device.isJoined && !onlyConfigured {
            entries[device.address] = Entry(
                address: device.address, name: device.name, family: device.family,
                standing: device.isUserDisconnected ? .released : .joined)
        }
        for device in configured {
            let isUserDisconnected = state.devices.contains {
                $0.address == device.address && $0.isUserDisconnected
            }
            entries[device.address] = Entry(
                address: device.address, name: device.name, family: device.family,
                standing: isUserDisconnected ? .released : .configured)
        }
    }

    /// Returns a row for each device of the host or of the bridge.
    package func rows(_ devices: [KnownDevice]) -> [DeviceRow] {
        let met = Set(devices.map(\.advertisement.address))
        let rows = devices.map { DeviceRow($0, entries[$0.advertisement.address], families) }
        let absent = entries.values.filter { !met.contains($0.address) }.map { DeviceRow($0) }
        return (rows + absent).sorted(by: DeviceRow.precedes)
    }
}

extension DeviceBook {
    /// Reads the state file of this configuration's bridge.
    package init(_ configuration: Configuration) {
        let settings = configuration.settings
        self.init(
            configured: settings.bridge.devices,
            state: StatePlace(
                configured: settings.stateDirectory, isChosen: configuration.namesStateDirectory
            ).state,
            onlyConfigured: settings.bridge.join == .configured, families: configuration.families)
    }
}
