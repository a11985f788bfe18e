import BridgeContract
package import HostServices
import Terminal

/// The bridges of a fleet that get another version, in waves.
package struct UpgradePlan: Hashable, Sendable {
    /// A bridge to upgrade, and its host.
    package struct Host: Hashable, Sendable {
        var bridge: String
        /// The name of the host, for the hook; the bridge's id if the bridge publishes no name.
        var host: String
        var zone: String?
        /// The version before the upgrade.
        var former: String
        /// The number of devices that are online on the host.
        var online: Int?
    }

    /// A bridge that keeps its version, and the reason.
    struct Exception: Hashable, Sendable {
        var bridge: String
        var reason: String
    }

    let version: String
    package private(set) var waves: [[Host]] = []
    private(set) var exceptions: [Exception] = []

    /// - Throws: ``CommandFailure`` if no bridge is online.
    package init(to version: String, in size: WaveSize, of fleet: FleetSnapshot) throws(CommandFailure) {
        self.version = version
        let rows = fleet.bridgeRows
        let online = rows.count { $0.state != .offline }
        guard online > 0 else {
            throw CommandFailure(.unavailable, "no bridge is online: see tactile-bridge fleet ls")
        }
        var hosts: [Host] = []
        for row in rows {
            if let reason = Self.exception(row, version) {
                exceptions.append(Exception(bridge: row.bridge, reason: reason))
            } else {
                hosts.append(
                    Host(
                        bridge: row.bridge, host: row.host ?? row.bridge, zone: row.zone,
                        former: row.version ?? "", online: row.online))
            }
        }
        let length = size.count(of: online)
        let spread = Self.spread(hosts)
        waves = stride(from: 0, to: spread.count, by: length).map {
            Array(spread[$0..<min($0 + length, spread.count)])
        }
    }

    /// Why a bridge keeps its version; nil if it is upgraded.
    private static func exception(_ row: BridgeRow, _ version: String) -> String? {
        switch row.state {
        case .offline: return "offline"
        case .draining: return "draining already"
        case .online: break
        }
        guard let former = row.version else { return "publishes no version" }
        if former == version { return "has \(version) already" }
        // Anyone who may publish as a bridge chooses these texts, and the hook passes them to a shell or to ssh.
        if !isVersion(former) { return "its version is invalid: \(former)" }
        let host = row.host ?? row.bridge
        return isHostName(host) ? nil : "the name of its host is invalid: \(host)"
    }

    /// Orders the hosts so that the hosts of a zone are spread over the waves.
    private static func spread(_ hosts: [Host]) -> [Host] {
        Dictionary(grouping: hosts, by: \.zone).values.flatMap { zone in
            zone.sorted { $0.bridge < $1.bridge }.enumerated().map { index, host in
                (place: (Double(index) + 0.5) / Double(zone.count), host: host)
            }
        }
        .sorted { ($0.place, $0.host.bridge) < ($1.place, $1.host.bridge) }.map(\.host)
    }

    /// Whether a text has the form of a version, such as `0.3.0` or `0.3.0~rc1`.
    package static func isVersion(_ text: String) -> Bool {
        text.utf8.count <= 64 && (text.utf8.first.map(isLetterOrDigit) ?? false)
            && text.utf8.allSatisfy { isLetterOrDigit($0) || ".+~-".utf8.contains($0) }
    }

    private static func isHostName(_ text: String) -> Bool {
        text.utf8.count <= 253 && (text.utf8.first.map(isLetterOrDigit) ?? false)
            && text.utf8.allSatisfy { isLetterOrDigit($0) || "._-".utf8.contains($0) }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        NameRules.isNameByte(byte) && byte != UInt8(ascii: "_") && byte != UInt8(ascii: "-")
    }

    // MARK: Output

    /// The plan for users: a table of the hosts by wave, and the bridges that keep their version.
    package var lines: [String] {
        var table = TextTable()
        table.add(["WAVE", "BRIDGE", "HOST", "ZONE", "VERSION", "ONLINE"])
        for (index, wave) in waves.enumerated() {
            for host in wave {
                table.add([
                    "\(index + 1)", host.bridge, host.host, host.zone ?? "-", "\(host.former) -> \(version)",
                    host.online.map(String.init) ?? "-",
                ])
            }
        }
        return (waves.isEmpty ? ["No bridge needs the upgrade."] : table.lines())
            + exceptions.map { "not upgraded: \($0.bridge): \($0.reason)" }
    }
}
