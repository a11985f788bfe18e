package import Bluetooth
package import DeviceKit
package import HomeAssistant
package import JSON

/// The fleet's entry for a device: the retained message on `roster/<address>`.
///
/// `{"v":1,"name":"belt","family":"belt","settings":{"intensity":60},"preferred":["attic"],"appearance":{…},
/// "by":"attic","time":"2026-01-31T12:00:00.000Z"}`
package struct RosterEntry: Hashable, Sendable {
    /// The version of the format that this program writes.
    package static let version = 1

    package var address: Address
    /// The device's name on every bridge.
    package var name: String
    package var family: String
    /// The settings that differ from the family's section on each host; never a secret.
    package var settings: JSON.Object
    /// The bridges that preferably connect to the device.
    package var preferred: [String]
    /// How Home Assistant displays the device.
    package var appearance: Appearance
    /// The bridge or the program that wrote the entry.
    package var by: String
    package var time: TimeStamp

    package init(
        address: Address, name: String, family: String, settings: JSON.Object = [:], preferred: [String] = [],
        appearance: Appearance = Appearance(), by: String, time: TimeStamp
    ) {
        self.address = address
        self.name = name
        self.family = family
        self.settings = settings
        self.preferred = preferred
        self.appearance = appearance
        self.by = by
        self.time = time
    }

    /// Whether two entries are equal apart from their author (``by``) and time.
    package func isSame(as other: RosterEntry?) -> Bool {
        guard let other else { return false }
        return name == other.name && family == other.family && preferred == other.preferred
            && appearance == other.appearance && Self.sorted(settings) == Self.sorted(other.settings)
    }

    private static func sorted(_ object: JSON.Object) -> [JSON.Object.Member] {
        object.members.sorted { $0.key < $1.key }
    }

    package var payload: [UInt8] { JSON.Value.object(object).bytes }

    /// The entry as JSON without author and time, for comparisons.
    package var object: JSON.Object {
        var object: JSON.Object = [
            "v": .integer(Self.version), "name": .string(name), "family": .string(family),
            "settings": .object(settings), "preferred": .array(preferred.map { .string($0) }),
        ]
        if !appearance.isEmpty { object["appearance"] = .object(appearance.object) }
        object["by"] = .string(by)
        object["time"] = .string(time.description)
        return object
    }

    // MARK: Topics

    /// The topic level that identifies a device, such as `c0ffee00be01`.
    package static func key(of address: Address) -> String { address.digits }

    /// The device of a topic level; nil if the level is not an address.
    package static func address(of key: String) -> Address? { Address(digits: key) }
}

extension Appearance {
    var isEmpty: Bool { displayName == nil && area == nil && icon == nil }

    var object: JSON.Object {
        var object = JSON.Object()
        object["display_name"] = displayName.map { .string($0) }
        object["area"] = area.map { .string($0) }
        object["icon"] = icon.map { .string($0) }
        return object
    }
}
