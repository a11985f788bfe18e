import Bluetooth
import DeviceKit
package import JSON

/// The data that moves a bridge to another host, as JSON: the devices that joined, with their names, and the settings.
/// It contains no secret and no bond.
package enum Backup {
    /// The version of the format of backups.
    package static let version = 1

    /// A device in a backup. Fields with default values are omitted, so that many devices fit into one message.
    static let device = [
        Field("name", .form(.name, 1...128), required: true, "Its name."),
        Field("family", .text(1...64), required: true, "Its family."),
        Field("address", .form(.address, 17...17), required: true, "Its Bluetooth address."),
        Field("held", .boolean, default: false, "Whether it is disconnected by request, until `connect`."),
        Field(
            "input", .boolean, default: false,
            "Whether it was permitted as an input device, such as a keyboard."),
        Field(
            "former_names", .list(.form(.name, 1...128), count: 0...32), default: [],
            "Its former names, under which it still accepts stops."),
        Field("memory", .map(.any), default: [:], "The stored values of the device."),
        Field(
            "bonded", .boolean, default: false, "Whether it must be paired again on another host."),
    ]

    /// The fields of a backup.
    static let fields = [
        Field("version", .integer(version...version), required: true, "The version of this format."),
        Field("bridge", .text(0...64), default: "", "The bridge that created it."),
        Field("program", .text(0...64), default: "", "The version of that bridge."),
        Field("time", .text(0...64), default: "", "When it was created."),
        Field(
            "devices", .list(.object(device), count: 0...10_000), required: true,
            "The devices that joined; those of the configuration are part of the settings."),
        Field(
            "settings", .map(.any), default: [:],
            "The configuration, in the structure of its file, without defaults and secrets."),
    ]

    package static func object(_ device: BridgeState.Device, isBonded: Bool) -> JSON.Object {
        var object: JSON.Object = [
            "name": .string(device.name), "family": .string(device.family),
            "address": .string(device.address.description),
        ]
        if device.isUserDisconnected { object["held"] = true }
        if device.isInput { object["input"] = true }
        if !device.formerNames.isEmpty {
            object["former_names"] = .array(device.formerNames.map { .string($0) })
        }
        if !device.memory.members.isEmpty { object["memory"] = .object(device.memory) }
        if isBonded { object["bonded"] = true }
        return object
    }

    /// Reads a device whose JSON fields were already checked.
    ///
    /// - Parameter latchKey: The key in the device's memory for whether an emergency stop is set. The value true is
    ///   kept. Any other value is removed, so that the state of the stop is unknown on the new host.
    package static func read(_ object: JSON.Object, latchKey: String?) -> BridgeState.Device? {
        guard let address = object["address"]?.string.flatMap({ Address($0[...]) }),
            let family = object["family"]?.string, let name = object["name"]?.string
        else { return nil }
        var memory = object["memory"]?.object ?? [:]
        if let latchKey, memory[latchKey] != true { memory[latchKey] = nil }
        return BridgeState.Device(
            address: address, family: family, name: name, memory: memory,
            isUserDisconnected: object["held"] == true,
            formerNames: object["former_names"]?.array?.compactMap(\.string)
                .filter { $0 != name && NameRules.isName($0) } ?? [],
            isInput: object["input"] == true)
    }
}
