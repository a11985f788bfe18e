package import Bluetooth
import BridgeContract
import DeviceKit
package import ESPHome
import JSON

/// A Bluetooth proxy on the network.
package struct ProxySettings: Hashable, Sendable {
    /// The user's name for the proxy: `kitchen`.
    package var name: String
    /// The name or address of the proxy on the network.
    package var host: String
    package var port: UInt16
    /// The expected address of the node; nil for any node.
    package var mac: Address?
    /// The encryption key; nil for a connection without encryption.
    package var key: EncryptionKey?

    package init(name: String, host: String, port: UInt16, mac: Address?, key: EncryptionKey?) {
        (self.name, self.host, self.port, self.mac, self.key) = (name, host, port, mac, key)
    }

    /// The name as adapters are named: `proxy/kitchen`.
    package var adapter: String { AdapterName.proxyPrefix + name }

    /// The systemd credential with the key of a proxy.
    static func credential(_ name: String) -> String { "proxy-\(name)-key" }

    /// The keys of an entry in `bluetooth.proxies`.
    static let fields: [Field] = {
        var key = Field("key", .text(1...64), "The encryption key of its API, base64 of 32 bytes.")
        key.isSecret = true
        return [
            Field("name", .text(1...32), required: true, "Your name for it; its adapter is proxy/<name>."),
            Field("host", .text(1...253), required: true, "Its name or address on the network."),
            Field("port", .integer(1...65_535), default: 6053, "The port of its API."),
            Field("mac", .form(.address, 17...17), "Its address; another node is then rejected."),
            key,
            Field("key_file", .text(1...4096), "A file with the key."),
            Field("plain", .boolean, default: false, "Whether the connection is not encrypted."),
        ]
    }()
}

extension ProxySettings: SettingValue {
    static func read(_ value: JSON.Value) -> ProxySettings? {
        guard let name = value["name"]?.string, let host = value["host"]?.string else { return nil }
        return ProxySettings(
            name: name, host: host, port: value["port"]?.integer.flatMap { UInt16(exactly: $0) } ?? 6053,
            mac: value["mac"]?.string.flatMap { Address($0) },
            key: value["key"]?.string.flatMap { EncryptionKey(base64: $0) })
    }

    /// Nil, because no proxy is a default.
    var setting: JSON.Value? { nil }
}
