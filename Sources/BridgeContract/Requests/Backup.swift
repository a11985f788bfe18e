import Bluetooth
import DeviceKit
package import JSON

/// The data that moves a bridge to another host, as JSON: the devices that joined, with their names, and the settings.
/// It contains no secret and no bond.
package enum Backup {
    /// The version of the format.
    package static let version = 1

    /// A device in a backup. Fields with default values are omitted, so that many devices fit into one message.
    static let device = [
        Field("name", .form(.name, 1...128), required: true, "Its name."),
        Field("family", .text(1...64), required: true, "Its family."),
        Field("address", .form(.address, 17...17), required: true, "Its Bluetooth address."),
        Field("held", .boolean, default: false, "Whether a person let it go until they ask for it again."),
        Field("input", .boolean, default: false, "Whether a person let it in as a keyboard or the like."),
        Field(
            "former_names", .list(.form(.name, 1...128), count: 0...32), default: [],
            "The names that it had, under which its stops are obeyed."),
        Field("memory", .map(.any), default: [:], "What the bridge found out about it."),
        Field(
            "bonded", .boolean, default: false, "Whether it has to be paired again on another host."),
    ]

    /// The fields of a backup.
    static let fields = [
        Field("version", .integer(version...version), required: true, "The version of this form."),
        Field("bridge", .text(0...64), default: "", "The bridge that it was made of."),
        Field("program", .text(0...64), default: "", "The version of its program."),
        Field("time", .text(0...64), default: "", "When it was made."),
        Field(
            "devices", .list(.object(device), count: 0...10_000), required: true,
            "The devices that joined; those of the configuration are part of the settings."),
        Field(
            "settings", .map(.any), default: [:],
            "What the configuration says, in the shape of its file; defaults and secrets are left out."),
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

    /// Reads a device whose fields were checked.
    ///
    /// - Parameter released: The memory's key for whether an emergency stop is set. The value true is kept. Any other
    ///   value is removed, so that the state of the stop is unknown on the new host.
    package static func read(_ object: JSON.Object, released: String?) -> BridgeState.Device? {
        guard let address = object["address"]?.string.flatMap({ Address($0[...]) }),
            let family = object["family"]?.string, let name = object["name"]?.string
        else { return nil }
        var memory = object["memory"]?.object ?? [:]
        if let released, memory[released] != true { memory[released] = nil }
        return BridgeState.Device(
            address: address, family: family, name: name, memory: memory,
            isUserDisconnected: object["held"] == true,
            formerNames: object["former_names"]?.array?.compactMap(\.string)
                .filter { $0 != name && NameRules.isName($0) } ?? [],
            isInput: object["input"] == true)
    }
}
