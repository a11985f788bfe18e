import BlueZ
import Bluetooth
package import DeviceKit

extension ProbedDevice {
    /// Returns the families that match the advertisement, each followed by the characteristics that the device lacks.
    package func fitting(_ families: [any DeviceFamily]) -> [String] {
        guard let advertisement else { return [] }
        let there = Set(entries.map(\.id))
        return families.recognizing(advertisement).map { family in
            let missing = family.requirements.required.filter { !there.contains($0) }
            if let service = missing.map(\.service).first(where: isClaimed) {
                let plugin = Names.plugins[service]
                return
                    "\(family.name) (bluetoothd itself uses the service \(service) and hides it from other programs; "
                    + "start it without that plugin, such as bluetoothd --noplugin=\(plugin ?? "midi"))"
            }
            guard let first = missing.first, family.requirements.substitutes.isEmpty else {
                return family.name
            }
            return "\(family.name) (lacks \(first))"
        }
    }

    /// Whether BlueZ has exclusive use of a service: it is among the UUIDs of the device, but not on the bus.
    private func isClaimed(_ service: UUID) -> Bool {
        advertisement?.services.contains(service) == true && !services.contains(service)
    }
}
