import Bluetooth
import DBus
import VirtualDevices

/// Converts a device's GATT table to the objects that `GattManager1.RegisterApplication` expects.
struct ApplicationLayout: Hashable, Sendable {
    struct Service: Hashable, Sendable {
        var path: ObjectPath
        var uuid: UUID
        var characteristics: [Characteristic]
    }

    struct Characteristic: Hashable, Sendable {
        var path: ObjectPath
        var id: CharacteristicID
        var flags: [String]
    }

    let services: [Service]

    /// Creates the objects of services below `root`, without the services that bluetoothd provides itself.
    init(_ services: [VirtualService], root: ObjectPath) {
        let own = services.filter { $0.uuid != 0x1800 && $0.uuid != 0x1801 }
        self.services = own.enumerated().map { index, service in
            // The numbers have two digits, because bluetoothd orders the objects by their paths.
            let path = root.appending("service" + Hex.string(UInt64(index), digits: 2))
            return Service(
                path: path, uuid: service.uuid,
                characteristics: service.characteristics.enumerated().map { index, characteristic in
                    Characteristic(
                        path: path.appending("char" + Hex.string(UInt64(index), digits: 2)),
                        id: characteristic.id, flags: Self.flags(characteristic))
                })
        }
    }

    func path(of id: CharacteristicID) -> ObjectPath? {
        services.lazy.flatMap(\.characteristics).first { $0.id == id }?.path
    }

    /// The flags for a characteristic's operations and their encryption (doc/gatt-api.txt).
    static func flags(_ characteristic: VirtualCharacteristic) -> [String] {
        let words: [(CharacteristicProperties, plain: String, encrypted: [String])] = [
            (.read, "read", ["encrypt-read"]),
            (.writeWithoutResponse, "write-without-response", ["write-without-response", "encrypt-write"]),
            (.write, "write", ["encrypt-write"]),
            (.notify, "notify", ["encrypt-notify"]),
            (.indicate, "indicate", ["encrypt-indicate"]),
        ]
        var flags: [String] = []
        for (property, plain, encrypted) in words where characteristic.properties.contains(property) {
            for word in characteristic.needsEncryption ? encrypted : [plain] where !flags.contains(word) {
                flags.append(word)
            }
        }
        return flags
    }

    /// The error that represents an ATT error code for bluetoothd. Codes without their own error name are sent as text,
    /// and bluetoothd accepts only application error codes (0x80 to 0x9F) in this form.
    static func refusal(_ code: UInt8) -> DBusError {
        let name =
            switch code {
            case 0x02, 0x03, 0x05, 0x0C, 0x0F: "NotPermitted"
            case 0x06: "NotSupported"
            case 0x07: "InvalidOffset"
            case 0x08: "NotAuthorized"
            case 0x0D: "InvalidValueLength"
            default: "Failed"
            }
        return DBusError(
            name: "org.bluez.Error.\(name)", message: "0x" + Hex.string(UInt64(code), digits: 2))
    }
}
