import Bluetooth
package import BridgeContract
import JSON

extension FleetSnapshot {
    /// The devices of the roster and of bridges. A device with several names occurs once for each name.
    ///
    /// Names come from the broker. Invalid names are ignored, because they could match other topics in an access list.
    package var namedDevices: [BridgeSettings.Device] {
        var named: [String: BridgeSettings.Device] = [:]
        func add(_ name: String, _ family: String, _ address: Address) {
            guard NameRules.isName(name) else { return }
            named[name] = named[name] ?? BridgeSettings.Device(name: name, family: family, address: address)
        }
        for (address, entry) in roster { add(entry.name, entry.family, address) }
        for device in bridges.values.flatMap(\.devices) {
            guard let name = device["name"]?.string, let family = device["family"]?.string,
                let address = device["address"]?.string.flatMap({ Address($0) })
            else { continue }
            add(name, family, address)
        }
        return named.values.sorted { $0.name < $1.name }
    }

    /// The names of the groups of the roster, and of the groups that only bridges report.
    package var groupNames: [String] {
        let said = bridges.values.flatMap(\.groups).compactMap { $0["group"]?.string }
        return Set((groups?.groups.map(\.name) ?? []) + said).filter(NameRules.isName).sorted()
    }
}
