import Bluetooth
import BridgeConfiguration
import BridgeContract
import DeviceKit
import HostServices
import StateFiles

/// The stored emergency stops: the bridge keeps an emergency stop active across restarts.
struct LatchFacts: Sendable {
    /// A device with an active or unknown emergency stop.
    struct Device: Hashable, Sendable {
        /// The device's name, or its address if it has no name.
        var name: String
        var latch: Latch
        /// Whether the configuration powers the device on without a command.
        var powersOnConnect: Bool
    }

    /// The path of the folder with the files of emergency stops.
    var path: String
    var user: String
    /// The reason why the files cannot be read; nil if they can.
    var unreadable: String?
    /// The number of devices whose emergency stop is stored.
    var count = 0
    var devices: [Device] = []
    /// The command `mosquitto_pub` with the options of the connection, and the prefix of all topics. Remedies contain
    /// both.
    var publishing = (command: "mosquitto_pub", base: "")

    /// Reads the files.
    ///
    /// - Parameters:
    ///   - place: The folder of the state.
    ///   - settings: The settings of the bridge.
    init(_ place: StatePlace, _ settings: Settings) {
        let folder = LatchFolder(path: "\(place.path)/\(LatchFile.folder)")
        self.init(path: folder.path, user: HostProbe.user)
        let base = settings.mqtt.baseTopic
        publishing = (settings.mqtt.publishing, base.isEmpty ? "" : "\(base)/")
        do throws(FileAccess.Failure) {
            let latches = try folder.read()
            let known = settings.bridge.devices + place.devices
            count = latches.count
            devices = latches.filter { $0.value != .clear }.sorted { $0.key < $1.key }.map { address, latch in
                let device = known.first { $0.address == address }
                let family = device.flatMap { settings.bridge.families[$0.family] } ?? Arguments()
                let own = settings.bridge.devices.first { $0.address == address }?.settings
                return Device(
                    name: device?.name ?? address.description, latch: latch,
                    powersOnConnect: (own ?? family).flag(Self.setting))
            }
        } catch {
            unreadable = error.reason
        }
    }

    init(path: String, user: String, unreadable: String? = nil, count: Int = 0, devices: [Device] = []) {
        (self.path, self.user, self.unreadable) = (path, user, unreadable)
        (self.count, self.devices) = (count, devices)
    }

    private static let setting = "power_on_connect"

    var findings: [Finding] {
        if let unreadable {
            return [
                .problem(
                    .state,
                    "the emergency stops in \(path) cannot be read by \(user): \(unreadable); every robot counts as "
                        + "stopped, and gets no power",
                    ["ls -ld \(path)", "sudo chown -R \(user) \(path)   # if the bridge runs as \(user)"])
            ]
        }
        let stopped = devices.filter { $0.latch == .latched }
        let unconfirmed = devices.filter { $0.latch == .unconfirmed && $0.powersOnConnect }
        var findings: [Finding] = []
        if count > 0 {
            let names = stopped.map(\.name).joined(separator: " ")
            findings.append(
                .ok(
                    .state,
                    "\(path): emergency stops of \(count) robots stored, set for \(stopped.isEmpty ? "none" : names)",
                    stopped.map { "\(powerOn($0))   # releases it" }))
        }
        return findings
            + unconfirmed.map { device in
                .warning(
                    .state,
                    "\(Self.setting) of \(device.name) has no effect: it is unknown whether an emergency stop was set",
                    ["\(powerOn(device))   # confirms that there is none"])
            }
    }

    private func powerOn(_ device: Device) -> String {
        "\(publishing.command) -t \(ShellWord.quoted("\(publishing.base)\(device.name)/power/set")) -m on"
    }
}
