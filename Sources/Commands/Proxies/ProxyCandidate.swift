package import Bluetooth
package import BridgeConfiguration
import BridgeContract
package import DBus
import Terminal

/// An ESPHome device that announces its API on the network, and so may be a Bluetooth proxy. All of it is untrusted
/// input.
package struct ProxyCandidate: Hashable, Sendable {
    /// The name of the node.
    package var name: String
    /// The name of its host; its address if the name has characters that no host name has.
    package var host: String
    package var port: UInt16
    /// The address of its host on the network.
    package var address: String
    /// Its MAC address, which is the identity of a proxy; nil if it announces none.
    package var mac: Bluetooth.Address?
    /// Whether its API requires a key.
    package var isEncrypted: Bool
    /// The version of ESPHome; nil if it announces none.
    package var version: String?
    /// `wifi`, `ethernet` or `thread`; nil if it announces none.
    package var network: String?
    /// The user's name for the device; nil if it announces none.
    package var title: String?
    /// The firmware, such as `esphome.bluetooth-proxy`; nil if it announces none.
    package var project: String?

    /// The maximum number of characters of a text. No text of a usual device is longer.
    static let longest = 64

    /// Reads the answer of Avahi's `ResolveService`; nil if it is incomplete.
    package init?(resolved answer: [Value]) {
        guard answer.count > 9, let name = answer[2].string, let host = answer[5].string,
            let address = answer[7].string, let port = answer[8].integer.flatMap({ UInt16(exactly: $0) }),
            port > 0
        else { return nil }
        let entries = Self.entries(answer[9].elements ?? [])
        self.name = Self.limited(name)
        self.port = port
        self.address = Self.limited(address)
        self.host = Self.isHostName(host) ? host : self.address
        mac = entries["mac"].flatMap { Bluetooth.Address(digits: $0.lowercased()) }
        isEncrypted = entries["api_encryption"] != nil
        (version, network) = (entries["version"], entries["network"])
        (title, project) = (entries["friendly_name"], entries["project_name"])
    }

    /// Where its API is, for users.
    package var place: String { "\(host):\(port)" }

    /// Whether its texts suggest that it is a Bluetooth proxy. Only the device itself could confirm it.
    var namesProxy: Bool { [name, title, project].contains { $0?.lowercased().contains("proxy") ?? false } }

    /// Compares the order of two candidates: those that seem to be proxies first, then by name.
    static func precedes(_ left: ProxyCandidate, _ right: ProxyCandidate) -> Bool {
        guard left.namesProxy == right.namesProxy else { return left.namesProxy }
        return (left.name, left.place) < (right.name, right.place)
    }

    /// The adapter of the configured proxy that is this device, by its address; by its host if no address is
    /// configured. Nil if it is not configured.
    func adapter(among proxies: [ProxySettings]) -> String? {
        proxies.first { proxy in
            if let expected = proxy.mac, let mac { return expected == mac }
            let host = proxy.host.lowercased()
            return proxy.port == port && (host == self.host.lowercased() || host == address.lowercased())
        }?.adapter
    }

    /// The entry in `bluetooth.proxies` that makes it a proxy of the bridge.
    var setting: String {
        let allowed = String(name.filter { $0.utf8.allSatisfy(NameRules.isNameByte) }.prefix(32))
        let label = allowed.isEmpty ? "proxy" : allowed
        var entry = "- { name: \"\(label)\", host: \"\(host)\""
        if port != 6053 { entry += ", port: \(port)" }
        if let mac { entry += ", mac: \"\(mac)\"" }
        return entry + (isEncrypted ? ", key_file: /etc/tactile-bridge/\(label).key }" : ", plain: true }")
    }

    /// Reads the entries of a TXT record (RFC 6763, 6.4): the first entry of a key counts, and upper case is lower case.
    private static func entries(_ record: [Value]) -> [String: String] {
        var entries: [String: String] = [:]
        for entry in record.prefix(longest) {
            guard let bytes = entry.bytes, let end = bytes.firstIndex(of: UInt8(ascii: "=")) else { continue }
            let key = limited(String(decoding: bytes[..<end], as: UTF8.self)).lowercased()
            let value = limited(String(decoding: bytes[(end + 1)...], as: UTF8.self))
            if entries[key] == nil, !value.isEmpty { entries[key] = value }
        }
        return entries
    }

    private static func limited(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.prefix(longest)))
    }

    private static func isHostName(_ text: String) -> Bool {
        (1...253).contains(text.utf8.count)
            && text.utf8.allSatisfy { NameRules.isNameByte($0) || $0 == UInt8(ascii: ".") }
    }
}

extension [ProxyCandidate] {
    /// The candidates as lines of the output of `scan`; empty if there are none.
    package func table(_ proxies: [ProxySettings]) -> [String] {
        guard !isEmpty else { return [] }
        var table = TextTable()
        table.add(["ESPHOME NODE", "HOST", "MAC", "KEY", "NETWORK", "VERSION", "BRIDGE"])
        for candidate in self {
            table.add([
                candidate.name, candidate.place, candidate.mac?.description ?? "-",
                candidate.isEncrypted ? "yes" : "no", candidate.network ?? "-", candidate.version ?? "-",
                candidate.adapter(among: proxies) ?? "-",
            ])
        }
        return table.lines() + [
            "", "A node with bluetooth_proxy can be a radio. For the setting: tactile-bridge doctor",
        ]
    }

    /// What `doctor` reports about the candidates that are not configured.
    fileprivate func findings(_ proxies: [ProxySettings]) -> [Finding] {
        let new = filter { $0.adapter(among: proxies) == nil }
        guard !new.isEmpty else { return [] }
        let others = new.count - Self.shown
        let devices =
            new.count == 1
            ? "1 ESPHome device on the network is" : "\(new.count) ESPHome devices on the network are"
        return [
            .ok(
                .proxies, "\(devices) not in bluetooth.proxies",
                ["add to bluetooth.proxies only a node with bluetooth_proxy that no other program uses:"]
                    + new.prefix(Self.shown).map(\.setting)
                    + (others > 0 ? ["for \(others) more: tactile-bridge scan"] : []))
        ]
    }

    /// The number of settings in the report of `doctor`.
    private static var shown: Int { 8 }
}

extension [ProxyCandidate]? {
    /// What `doctor` reports; nil is a host without a running Avahi, which matters only to users of proxies.
    package func findings(_ proxies: [ProxySettings]) -> [Finding] {
        if let self { return self.findings(proxies) }
        return proxies.isEmpty
            ? []
            : [.ok(.proxies, "other ESPHome devices on the network are not listed: Avahi is not running")]
    }
}
