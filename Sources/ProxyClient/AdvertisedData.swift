import Bluetooth

/// The latest AD structures of a device, by their kind (Core Specification Supplement, Part A).
struct AdvertisedData: Hashable, Sendable {
    /// The maximum number of structures. With more, the earlier ones are dropped.
    static let maximumStructures = 32

    private struct Kind: Hashable, Sendable {
        let type: UInt8
        /// The company or the service of data; empty for other types.
        let owner: [UInt8]
    }

    private var structures: [Kind: [UInt8]] = [:]

    /// The number of bytes that state the company or the service, by the type of the structure.
    private static let ownerLengths: [UInt8: Int] = [
        0x02: 0, 0x03: 0, 0x04: 0, 0x05: 0, 0x06: 0, 0x07: 0, 0x08: 0, 0x09: 0, 0x16: 2, 0x20: 4, 0x21: 16,
        0xFF: 2,
    ]

    /// The types of lists of services, with the length of a UUID.
    private static let lists: [(type: UInt8, length: Int)] = [
        (0x02, 2), (0x03, 2), (0x04, 4), (0x05, 4), (0x06, 16), (0x07, 16),
    ]

    /// Adds the structures of a packet. An incomplete structure is ignored.
    mutating func add(_ packet: [UInt8]) {
        var rest = packet[...]
        // A length of 0 ends the data (Core Specification, Vol 3, Part C, 11).
        while let length = rest.popFirst(), length > 0, rest.count >= Int(length) {
            let structure = rest.prefix(Int(length))
            rest = rest.dropFirst(Int(length))
            guard let type = structure.first, let ownerLength = Self.ownerLengths[type],
                structure.count > ownerLength
            else { continue }
            let kind = Kind(type: type, owner: Array(structure.dropFirst().prefix(ownerLength)))
            if structures.count >= Self.maximumStructures, structures[kind] == nil { structures = [:] }
            structures[kind] = Array(structure.dropFirst(1 + ownerLength))
        }
    }

    /// The complete name, otherwise the shortened name.
    var name: String? {
        let bytes = structures[Kind(type: 0x09, owner: [])] ?? structures[Kind(type: 0x08, owner: [])]
        return bytes.map { String(decoding: $0, as: UTF8.self) }
    }

    var services: Set<UUID> {
        var services: Set<UUID> = []
        for list in Self.lists {
            let bytes = structures[Kind(type: list.type, owner: [])] ?? []
            for start in stride(from: 0, through: bytes.count - list.length, by: list.length) {
                services.insert(Self.uuid(bytes[start..<start + list.length]))
            }
        }
        return services
    }

    var manufacturerData: [UInt16: [UInt8]] {
        var data: [UInt16: [UInt8]] = [:]
        for (kind, bytes) in structures where kind.type == 0xFF {
            data[UInt16(Self.number(kind.owner[...]))] = bytes
        }
        return data
    }

    var serviceData: [UUID: [UInt8]] {
        var data: [UUID: [UInt8]] = [:]
        for (kind, bytes) in structures where [0x16, 0x20, 0x21].contains(kind.type) {
            data[Self.uuid(kind.owner[...])] = bytes
        }
        return data
    }

    /// A UUID of 2, 4 or 16 bytes, lowest byte first.
    private static func uuid(_ bytes: ArraySlice<UInt8>) -> UUID {
        guard bytes.count < 16 else {
            return UUID(high: number(bytes.suffix(8)), low: number(bytes.prefix(8)))
        }
        // A short form replaces the first 32 bits of the base UUID (Core Specification, Vol 3, Part B, 2.5.1).
        let base = UUID(0)
        return UUID(high: number(bytes) << 32 | base.high, low: base.low)
    }

    /// A number of up to 8 bytes, lowest byte first.
    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
