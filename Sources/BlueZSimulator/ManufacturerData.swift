import DBus

extension Value {
    /// Makes an `a{qv}` of a maker's data by company number, as BlueZ has it in `ManufacturerData`.
    static func manufacturerData(_ data: [UInt16: [UInt8]]) -> Value {
        .dictionary(
            data.sorted { $0.key < $1.key }.map { Entry(.uint16($0.key), .variant(.bytes($0.value))) },
            key: .uint16, value: .variant)
    }
}
