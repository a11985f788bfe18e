import Bluetooth
import DBus

@testable import BlueZSimulator

/// Converts bus messages to text that does not depend on addresses, handles and adapters: `dev` is the device,
/// `char:2A19` a characteristic by its UUID. A pure value.
struct BusWords {
    /// The object of the client's adapter.
    var adapter: ObjectPath
    let device: Bluetooth.Address
    private var roles: [ObjectPath: String] = [:]

    /// Services that bluetoothd provides on every adapter, in addition to the device's services if bluetoothd serves
    /// the device. Some real devices have them, too.
    private static let hosts: Set<String> = ["1800", "1801", "180A"]
    /// Interfaces that every object has, or that depend on the adapter's capabilities.
    private static let unsaid: Set<String> = [
        "org.freedesktop.DBus.Introspectable", "org.freedesktop.DBus.Properties", "org.bluez.Media1",
        "org.bluez.NetworkServer1", "org.bluez.SimAccess1",
        // bluetoothd adds this interface to an adapter later than the others.
        "org.bluez.LEAdvertisingManager1",
    ]

    init(adapter: String, device: Bluetooth.Address) {
        self.adapter = BlueZName.path(ofAdapter: adapter)
        self.device = device
    }

    private var devicePath: ObjectPath {
        adapter.appending("dev_" + device.description.split(separator: ":").joined(separator: "_"))
    }

    /// The object and the interface for calls to a role.
    func target(_ role: String) -> (ObjectPath, String)? {
        switch role {
        case "root": (BlueZName.root, BlueZName.agentManager)
        case "adapter": (adapter, BlueZName.adapter)
        case "dev": (devicePath, BlueZName.device)
        default: roles.first { $0.value == role }.map { ($0.key, BlueZName.characteristic) }
        }
    }

    /// The role of an object; nil if the object is irrelevant.
    func role(of path: ObjectPath) -> String? {
        if path == adapter { return "adapter" }
        if path == devicePath { return "dev" }
        return roles[path]
    }

    /// Records the meaning of an object of the device.
    mutating func learn(_ path: ObjectPath, _ interfaces: Value) {
        guard path.isInside(devicePath) else { return }
        for interface in interfaces.entries ?? [] {
            guard let uuid = interface.value.properties?["UUID"]?.string else { continue }
            let short = Self.short(uuid)
            let outer = path.parent.flatMap { roles[$0] }
            switch interface.key.string {
            case BlueZName.gattService where !Self.hosts.contains(short): roles[path] = "service:\(short)"
            case BlueZName.characteristic where outer != nil: roles[path] = "char:\(short)"
            case BlueZName.descriptor:
                if let outer { roles[path] = "desc:" + outer.dropFirst(5) + ".\(short)" }
            default: break
            }
        }
    }

    /// Converts a signal to text; empty if it is irrelevant.
    mutating func lines(of message: Message) -> [String] {
        let arguments = message.arguments
        switch message.member {
        case "InterfacesAdded":
            guard let path = arguments.first?.objectPath, let interfaces = arguments.last else { return [] }
            learn(path, interfaces)
            let isSaid = (interfaces.entries ?? []).contains { !Self.unsaid.contains($0.key.string ?? "") }
            return role(of: path).flatMap { isSaid ? ["+ " + object($0, interfaces)] : nil } ?? []
        case "InterfacesRemoved":
            guard let path = arguments.first?.objectPath, let role = role(of: path) else { return [] }
            let names = (arguments.last?.strings ?? []).filter { !Self.unsaid.contains($0) }
            if names.isEmpty { return [] }
            return ["- \(role) " + names.map(Self.last).sorted().joined(separator: " ")]
        case "PropertiesChanged":
            guard let path = message.path, let role = role(of: path) else { return [] }
            let changed = (arguments[1].properties ?? [:]).map { "\($0.key)=\(Self.said($0.key, $0.value))" }
            let gone = (arguments[2].strings ?? []).map { "\($0)=nil" }
            return ["\(role) " + (changed + gone).sorted().joined(separator: " ")]
        default: return message.path.flatMap { role(of: $0) }.map { ["\($0) !\(message.member ?? "")"] } ?? []
        }
    }

    /// The text of an object: its interfaces and their distinctive properties.
    func object(_ role: String, _ interfaces: Value) -> String {
        let parts = (interfaces.entries ?? []).compactMap { entry -> String? in
            guard let name = entry.key.string, !Self.unsaid.contains(name) else { return nil }
            let properties = entry.value.properties ?? [:]
            let told = ["Bonded", "Connected", "Flags", "Paired", "Percentage", "Powered", "Trusted"]
                .compactMap {
                    key in properties[key].map { "\(key)=\(Self.text($0))" }
                }
            return ([Self.last(name)] + told).joined(separator: " ")
        }
        return ([role] + parts.sorted()).joined(separator: " ")
    }

    /// The text of a property. For lists of UUIDs and for signal strengths, only their presence is shown.
    private static func said(_ name: String, _ value: Value) -> String {
        ["UUIDs", "RSSI"].contains(name) ? "…" : text(value)
    }

    static func text(_ value: Value) -> String {
        switch value {
        case .bool(let truth): "\(truth)"
        case .string(let text): text
        case .bytes(let bytes): Hex.string(bytes)
        case .array: value.strings?.joined(separator: ",") ?? "…"
        case .variant(let inner): text(inner)
        default: value.integer.map { "\($0)" } ?? "…"
        }
    }

    private static func last(_ name: String) -> String {
        name.split(separator: ".").last.map(String.init) ?? name
    }

    private static func short(_ uuid: String) -> String {
        let first = uuid.prefix(8).uppercased()
        return uuid.hasSuffix("-0000-1000-8000-00805f9b34fb") ? String(first.drop { $0 == "0" }) : first
    }
}
