import DBus

extension Value {
    /// Creates an `a{qv}` of manufacturer data by company identifier, which is BlueZ's format for `ManufacturerData`.
    static func manufacturerData(_ data: [UInt16: [UInt8]]) -> Value {
        .dictionary(
            data.sorted { $0.key < $1.key }.map { Entry(.uint16($0.key), .variant(.bytes($0.value))) },
            key: .uint16, value: .variant)
    }
}
