package import BridgeContract
import Glibc
import HostServices

/// The folder of the bridge's state, as a command at a terminal determines it.
///
/// systemd passes the folder to the installed service, but not to a user's shell. If no folder is configured and the
/// user has no state, the folder of the service is used.
package struct StatePlace: Hashable, Sendable {
    package let path: String

    /// The state folder of the package's service.
    static let ofService = "/var/lib/tactile-bridge"

    /// - Parameters:
    ///   - configured: The folder according to the configuration, or the default folder.
    ///   - isChosen: Whether a configuration sets this folder.
    package init(configured: String, isChosen: Bool) {
        let hasOwn = access("\(configured)/state.json", F_OK) == 0
        let isInstalled = access(Self.ofService, F_OK) == 0
        path = isChosen || hasOwn || !isInstalled ? configured : Self.ofService
    }

    /// The stored state; empty if it cannot be read. Reading changes no files.
    package var state: BridgeState {
        for name in ["state.json", "state.json.before"] {
            guard let bytes = try? FileAccess.read("\(path)/\(name)") else { continue }
            if let state = try? StateDocument.state(bytes) { return state }
        }
        return BridgeState()
    }

    /// The devices of the state, in the form of the configuration.
    package var devices: [BridgeSettings.Device] {
        state.devices.map {
            BridgeSettings.Device(
                name: $0.name, family: $0.family, address: $0.address)
        }
    }
}
