package import Bluetooth
package import DeviceKit
package import HomeAssistant
package import JSON

/// A device as the fleet knows it: what `roster/<address>` says, retained.
///
/// `{"v":1,"name":"belt","family":"belt","settings":{"intensity":60},"preferred":["attic"],"appearance":{…},
/// "by":"attic","time":"2026-01-31T12:00:00.000Z"}`
package struct RosterEntry: Hashable, Sendable {
    /// The version of the form that this program writes.
    package static let version = 1

    package var address: Address
    /// The name that it has at every bridge.
    package var name: String
    package var family: String
    /// What its settings are apart from those of the family's section of each host; never a secret.
    package var settings: JSON.Object
    /// The bridges that are to have it if they can.
    package var preferred: [String]
    /// How it looks to a person at home.
    package var appearance: Appearance
    /// The bridge or the program that wrote this.
    package var by: String
    package var time: TimeStamp

    /// Makes an entry.
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

    /// Whether it says the same of the device, apart from its writer and its time.
    package func isSame(as other: RosterEntry?) -> Bool {
        guard let other else { return false }
        return name == other.name && family == other.family && preferred == other.preferred
            && appearance == other.appearance && Self.sorted(settings) == Self.sorted(other.settings)
    }

    private static func sorted(_ object: JSON.Object) -> [JSON.Object.Member] {
        object.members.sorted { $0.key < $1.key }
    }

    /// The message.
    package var payload: [UInt8] { JSON.Value.object(object).bytes }

    /// The message, without its time and its writer; for those who compare.
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

    /// The level of the topic that names a device: `c0ffee00be01`.
    package static func key(of address: Address) -> String { address.digits }

    /// The device that a level names; nil if it names none.
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
