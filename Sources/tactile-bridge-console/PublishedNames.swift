import Bluetooth
import BridgeConfiguration
import BridgeContract
import DeviceKit
import JSON
import Reference

/// The published devices and groups of the bridges on the broker. Their names define the rights of roles.
struct PublishedNames {
    private var devices: [String: [BridgeSettings.Device]] = [:]
    private var groups: [String: [String]] = [:]
    private var online: Set<String> = []

    /// The bridges that have published their devices.
    var bridges: [String] { devices.keys.sorted() }

    /// Processes a message.
    ///
    /// - Parameter topic: The topic without the prefix of every topic.
    /// - Returns: Whether names have changed.
    mutating func take(_ topic: Substring, _ payload: [UInt8], _ echoes: inout [String: String]) -> Bool {
        guard topic.hasPrefix("bridge/") else { return false }
        let levels = topic.split(separator: "/", omittingEmptySubsequences: false)
        guard levels.count == 3 else { return false }
        let bridge = String(levels[1])
        switch levels[2] {
        case "echo":
            echoes[bridge] = String(decoding: payload.prefix(64), as: UTF8.self)
            return false
        case "availability":
            if payload.elementsEqual("online".utf8) { online.insert(bridge) } else { online.remove(bridge) }
            return false
        case "devices":
            let before = devices[bridge]
            devices[bridge] = payload.isEmpty ? nil : Self.devices(payload)
            return before != devices[bridge]
        case "groups":
            let before = groups[bridge]
            groups[bridge] = payload.isEmpty ? nil : Self.groups(payload)
            return before != groups[bridge]
        default: return false
        }
    }

    /// Returns the bridge that has published a device; nil if there is none.
    func bridge(of device: String) -> String? {
        devices.first { $0.value.contains { $0.name == device } }?.key
    }

    var onlineBridges: [String] { online.sorted() }

    /// Returns whether a device or a group has this name.
    func knows(_ name: String) -> Bool {
        name == GroupFeatures.everything || name.hasPrefix("\(GroupFeatures.everything)/")
            || bridge(of: name) != nil || groups.values.contains { $0.contains(name) }
    }

    /// Returns the access list with the names that the devices and groups have now.
    func list(_ settings: BridgeSettings, _ families: [any DeviceFamily]) -> AccessList {
        let heard = devices.sorted { $0.key < $1.key }.flatMap(\.value)
        let names = Set(groups.values.joined()).sorted()
        return AccessList(settings, heard: heard, groups: names, families: families)
    }

    private static func devices(_ payload: [UInt8]) -> [BridgeSettings.Device] {
        ((try? JSON.Value(parsing: payload))?.array ?? []).prefix(10_000).compactMap { entry in
            guard let name = entry["name"]?.string, let family = entry["family"]?.string,
                NameRules.isName(name),
                let address = entry["address"]?.string.flatMap({ Address($0) })
            else { return nil }
            return BridgeSettings.Device(name: name, family: family, address: address)
        }
    }

    private static func groups(_ payload: [UInt8]) -> [String] {
        ((try? JSON.Value(parsing: payload))?.array ?? []).prefix(10_000).compactMap {
            $0["group"]?.string.flatMap { NameRules.isName($0) ? $0 : nil }
        }
    }
}
