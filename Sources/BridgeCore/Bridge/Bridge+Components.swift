import Bluetooth
import BridgeContract
import BridgeParts
import JSON

// The components that Home Assistant has of a device with a device file or a gesture file. If the file changes, the
// announcement removes the components that the new version no longer declares, also after a restart.
extension Bridge {
    /// The key of the components among the values that the bridge stores for a device.
    private static let componentsKey = "components"

    /// The platforms of the components that were announced, by their key in the announcement.
    func knownComponents(of address: Address) -> [String: String] {
        let known = kept[address]?.memory[Self.componentsKey]?.object?.members ?? []
        return Dictionary(known.compactMap { member in member.value.string.map { (member.key, $0) } }) { $1 }
    }

    func rememberComponents(_ platforms: [String: String], of session: DeviceSession) {
        let members = platforms.sorted { $0.key < $1.key }.map { ($0.key, JSON.Value.string($0.value)) }
        remember(session) { $0.memory[Self.componentsKey] = .object(JSON.Object(members)) }
    }
}
