package import BridgeContract
import Glibc
import HostServices

/// Where the state of the bridge lies, as a command at a terminal finds it.
///
/// The installed service is told its folder by systemd, and a person's shell is not: where none is configured, a
/// folder and the person has no state of their own, the service's is meant.
package struct StatePlace: Hashable, Sendable {
    /// The folder.
    package let path: String

    /// Where the package's service keeps its state.
    static let ofService = "/var/lib/tactile-bridge"

    /// - Parameters:
    ///   - configured: The folder in force.
    ///   - isChosen: Whether a configuration names it.
    package init(configured: String, isChosen: Bool) {
        let hasOwn = access("\(configured)/state.json", F_OK) == 0
        let isInstalled = access(Self.ofService, F_OK) == 0
        path = isChosen || hasOwn || !isInstalled ? configured : Self.ofService
    }

    /// The state, as far as it can be read without changing anything.
    package var state: BridgeState {
        for name in ["state.json", "state.json.before"] {
            guard let bytes = try? FileAccess.read("\(path)/\(name)") else { continue }
            if let state = try? StateDocument.state(bytes) { return state }
        }
        return BridgeState()
    }

    /// The devices in it, as the configuration would name them.
    package var devices: [BridgeSettings.Device] {
        state.devices.map {
            BridgeSettings.Device(
                name: $0.name, family: $0.family, address: $0.address)
        }
    }
}
