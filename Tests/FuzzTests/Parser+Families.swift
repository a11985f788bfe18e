import BridgeTesting
import DeviceCatalog
import DeviceKit

/// What devices notify and answer, at any moment of a session: the bytes choose all that happens in it.
extension Parser {
    static let families = Registry.families.map { family in
        let name = family.name
        return Parser(name: name) { bytes in
            guard let family = Registry.families.named(name) else { return ["no family is \(name)"] }
            return DeviceFamilyContract(family).brokenBehaviour(bytes)
        }
    }
}
