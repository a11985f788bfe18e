import Bluetooth
import DBus

extension Value {
    /// Creates an `a{sv}` of service data by UUID, which is BlueZ's format for `ServiceData`.
    static func serviceData(_ data: [UUID: [UInt8]]) -> Value {
        .dictionary(
            data.sorted { $0.key < $1.key }.map {
                Entry(.string($0.key.description), .variant(.bytes($0.value)))
            },
            key: .string, value: .variant)
    }

    /// Creates an `a{qv}` of manufacturer data by company identifier, which is BlueZ's format for `ManufacturerData`.
    static func manufacturerData(_ data: [UInt16: [UInt8]]) -> Value {
        .dictionary(
            data.sorted { $0.key < $1.key }.map { Entry(.uint16($0.key), .variant(.bytes($0.value))) },
            key: .uint16, value: .variant)
    }
}
