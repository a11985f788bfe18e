package import BridgeConfiguration
import BridgeContract

/// Instructions for letting devices in range join.
package struct JoinAdvice {
    var settings: Settings
    /// The configuration file that the instructions name; nil for the default path.
    var file: String?

    package init(settings: Settings, file: String? = nil) {
        self.settings = settings
        self.file = file
    }

    /// Returns instructions for the devices that can join but have not joined.
    package func lines(_ rows: [DeviceRow]) -> [String] {
        guard !rows.isEmpty else { return ["No device is in range: is it switched on, and near?"] }
        return joining(rows) + probing(rows)
    }

    /// Returns instructions for using the command `probe` on a device that no family recognizes.
    private func probing(_ rows: [DeviceRow]) -> [String] {
        guard let row = rows.first(where: { $0.family == nil }) else { return [] }
        return [
            "\(row.address) matches no known family. To show its services:",
            "  tactile-bridge probe \(row.address)",
        ]
    }

    private func joining(_ rows: [DeviceRow]) -> [String] {
        let new = rows.filter { $0.family != nil && $0.standing == nil }
        guard !new.isEmpty else { return [] }
        switch settings.bridge.join {
        case .permit:
            return ["To let them join:"] + new.map { "  \(request($0))" }
        case .configured:
            return ["To let them join, add to \(file ?? SettingsLoader.usualPath), below devices:"]
                + new.map { "  NAME: { family: \($0.family ?? ""), address: \"\($0.address)\" }" }
                + ["and then: sudo systemctl reload tactile-bridge"]
        case .always: return ["A running bridge lets them join automatically (bluetooth.join: always)."]
        }
    }

    /// Returns the command that lets a device join. The request contains the address, because a device that is also a
    /// keyboard joins only by its address.
    private func request(_ row: DeviceRow) -> String {
        "\(settings.mqtt.publishing) -t \(settings.mqtt.word("bridge/\(settings.bridge.id)/request/permit_join")) "
            + "-m '{\"seconds\":60,\"address\":\"\(row.address)\"}'"
    }
}
