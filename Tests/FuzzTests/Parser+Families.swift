import BridgeTesting
import DeviceCatalog
import DeviceKit

/// Notifications and answers of devices at any time of a session. The bytes select the events.
extension Parser {
    static let families = Registry.families.map { family in
        let name = family.name
        return Parser(name: name) { bytes in
            guard let family = Registry.families.named(name) else { return ["no family is \(name)"] }
            return DeviceFamilyContract(family).brokenBehaviour(bytes)
        }
    }
}
