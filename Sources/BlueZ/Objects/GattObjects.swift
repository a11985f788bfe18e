package import Bluetooth
package import DBus

/// A service in a device's GATT table.
package struct GattService: Hashable, Sendable {
    package let path: ObjectPath
    package let uuid: UUID

    package init?(path: ObjectPath, properties: [String: Value]) {
        guard let uuid = properties["UUID"]?.string.flatMap({ UUID($0) }) else { return nil }
        self.path = path
        self.uuid = uuid
    }

    /// The object path of the device: `…/dev_X` of `…/dev_X/service0010`.
    package var device: ObjectPath { path.parent ?? .root }
}

/// A characteristic in a device's GATT table.
package struct GattCharacteristic: Hashable, Sendable {
    package let path: ObjectPath
    package let uuid: UUID
    package var service: ObjectPath
    package let properties: CharacteristicProperties
    /// The ATT MTU of the link; BlueZ reports it since 5.62.
    package var mtu: Int?

    package init?(path: ObjectPath, properties: [String: Value]) {
        guard let uuid = properties["UUID"]?.string.flatMap({ UUID($0) }) else { return nil }
        self.path = path
        self.uuid = uuid
        service = properties["Service"]?.objectPath ?? path.parent ?? .root
        self.properties = Self.properties(of: properties["Flags"]?.strings ?? [])
        apply(properties)
    }

    package mutating func apply(_ properties: [String: Value]) {
        if let number = properties["MTU"]?.integer { mtu = number }
    }

    package var device: ObjectPath { service.parent ?? .root }

    /// Translates BlueZ's flags of a characteristic. Flags such as `encrypt-read` are ignored, because BlueZ adds the
    /// plain flag (`read`) to each of them.
    package static func properties(of flags: [String]) -> CharacteristicProperties {
        var properties: CharacteristicProperties = []
        for flag in flags {
            switch flag {
            case "read": properties.insert(.read)
            case "write-without-response": properties.insert(.writeWithoutResponse)
            case "write": properties.insert(.write)
            case "notify": properties.insert(.notify)
            case "indicate": properties.insert(.indicate)
            default: break
            }
        }
        return properties
    }
}

package struct GattDescriptor: Hashable, Sendable {
    package let path: ObjectPath
    package let uuid: UUID
    package let characteristic: ObjectPath

    package init?(path: ObjectPath, properties: [String: Value]) {
        guard let uuid = properties["UUID"]?.string.flatMap({ UUID($0) }) else { return nil }
        self.path = path
        self.uuid = uuid
        characteristic = properties["Characteristic"]?.objectPath ?? path.parent ?? .root
    }

    package var device: ObjectPath { characteristic.parent?.parent ?? .root }
}
