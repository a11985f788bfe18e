import Bluetooth
import BridgeContract
import ESPHome
import HostServices
import JSON
import MQTT

extension SettingsResolver {
    private static let proxies = "bluetooth.proxies"

    /// Reads the keys of the proxies from systemd's credentials and from files.
    mutating func readProxyKeys() {
        guard let entries = values[Self.proxies]?.array, !entries.isEmpty else { return }
        let read = entries.enumerated().map { index, entry in
            guard var object = entry.object, entry["key"] == nil, let file = keyFile(entry, index) else {
                return entry
            }
            object["key"] = proxyKey(file, index).map { .string($0) }
            return .object(object)
        }
        values.set(Self.proxies, .array(read), from: values.origin(Self.proxies))
    }

    /// The file with the key of a proxy; nil if there is none.
    private func keyFile(_ entry: JSON.Value, _ index: Int) -> String? {
        if let folder = host.environment["CREDENTIALS_DIRECTORY"], let name = entry["name"]?.string,
            Self.isName(name), FileAccess.isThere("\(folder)/\(ProxySettings.credential(name))")
        {
            return "\(folder)/\(ProxySettings.credential(name))"
        }
        return entry["key_file"]?.string
    }

    private mutating func proxyKey(_ path: String, _ index: Int) -> String? {
        let place = "\(Self.proxies)[\(index)].key_file"
        guard SettingForm.path.accepts(path) else {
            complain(place, "found \(path); allowed: \(SettingForm.path.allowed)")
            return nil
        }
        do {
            let secret = Secret(content: try FileAccess.read(path, limit: Secret.fileLimit))
            if FileAccess.isReadableByAll(path) {
                warnings.append("\(place): every user of this host can read \(path); run chmod o= on it")
            }
            if secret == nil { complain(place, "found nothing in \(path); allowed: a key") }
            return secret?.value
        } catch {
            complain(place, "found \(path): \(error.reason); allowed: a file that the bridge can read")
            return nil
        }
    }

    /// Checks the proxies, and the names of proxies in `bluetooth.adapters`.
    mutating func compareProxies() {
        let entries = values[Self.proxies]?.array ?? []
        for (index, entry) in entries.enumerated() {
            let path = "\(Self.proxies)[\(index)]"
            let name = entry["name"]?.string ?? ""
            if !Self.isName(name) {
                complain("\(path).name", "found \(name); allowed: letters, digits, _ and -")
            }
            if let host = entry["host"]?.string, host.contains("/") || !SettingForm.host.accepts(host) {
                complain("\(path).host", "found \(host); allowed: a host name or an address")
            }
            compareKey(entry, path, name)
            for key in ["name", "mac"] {
                guard let value = entry[key]?.string?.lowercased(),
                    let twin = entries[..<index].firstIndex(where: { $0[key]?.string?.lowercased() == value })
                else { continue }
                complain(
                    "\(path).\(key)",
                    "found \(value) as in \(Self.proxies)[\(twin)]; allowed: each \(key) once")
            }
        }
        let names = entries.compactMap { $0["name"]?.string }
        for (index, adapter) in values.texts("bluetooth.adapters").enumerated()
        where AdapterName.isProxy(adapter) {
            guard !names.contains(String(adapter.dropFirst(AdapterName.proxyPrefix.count))) else { continue }
            let known = names.isEmpty ? "there are none" : names.joined(separator: " ")
            complain(
                "bluetooth.adapters[\(index)]", because: "bluetooth.adapters",
                "found \(adapter); allowed: the proxies in \(Self.proxies): \(known)")
        }
    }

    private mutating func compareKey(_ entry: JSON.Value, _ path: String, _ name: String) {
        let isPlain = entry["plain"]?.bool ?? false
        switch entry["key"]?.string {
        case _? where isPlain:
            complain(
                "\(path).plain", "found true, but there is a key; allowed: a key or plain: true, not both")
        case let text? where EncryptionKey(base64: text) == nil:
            complain("\(path).key", "found another text; allowed: \(EncryptionKey.expected)")
        case _?: break
        case nil where isPlain:
            warnings.append(
                "\(path).plain: a program between bridge and proxy can read and change everything")
        // A problem with the file is reported already.
        case nil where entry["key_file"] != nil: break
        case nil:
            complain(
                "\(path).key",
                "missing; allowed: key, key_file, the systemd credential \(ProxySettings.credential(name)), or "
                    + "plain: true for a proxy without encryption")
        }
    }

    private static func isName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.allSatisfy(NameRules.isNameByte)
    }

    private mutating func complain(_ path: String, _ message: String) {
        complain(path, because: Self.proxies, message)
    }
}
