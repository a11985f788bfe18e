import Bluetooth
import VirtualDevices

/// The AD structures of an advertisement and of its scan response, 31 bytes each (Core Specification Supplement, Part
/// A).
struct AdvertisementData {
    private var parts: [[UInt8]] = [[], []]

    init(_ advertisement: VirtualAdvertisement) {
        // General discoverable, no Bluetooth Classic.
        add(0x01, [0x06])
        let short = advertisement.services.compactMap(\.short)
        if !short.isEmpty { add(0x03, short.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }) }
        for uuid in advertisement.services where uuid.short == nil {
            add(0x07, Self.bytes(uuid.low, 8) + Self.bytes(uuid.high, 8))
        }
        for (uuid, data) in advertisement.serviceData.sorted(by: { $0.key < $1.key }) {
            if let short = uuid.short {
                add(0x16, Self.bytes(UInt64(short), 2) + data)
            } else {
                add(0x21, Self.bytes(uuid.low, 8) + Self.bytes(uuid.high, 8) + data)
            }
        }
        for (company, data) in advertisement.manufacturerData.sorted(by: { $0.key < $1.key }) {
            add(0xFF, Self.bytes(UInt64(company), 2) + data)
        }
        if let appearance = advertisement.appearance { add(0x19, Self.bytes(UInt64(appearance), 2)) }
        addName(Array(advertisement.name.utf8))
    }

    /// The bytes that a proxy forwards: a passive scanner does not request scan responses.
    func bytes(isActive: Bool) -> [UInt8] { isActive ? parts[0] + parts[1] : parts[0] }

    /// Adds a structure to the first part that has space. Without space it is omitted.
    private mutating func add(_ type: UInt8, _ data: [UInt8]) {
        guard let index = parts.indices.first(where: { parts[$0].count + data.count + 2 <= 31 }) else {
            return
        }
        parts[index] += [UInt8(data.count + 1), type] + data
    }

    /// A name that does not fit is shortened (type 0x08).
    private mutating func addName(_ name: [UInt8]) {
        let space = max(0, (parts.map { 29 - $0.count }.max() ?? 0))
        guard !name.isEmpty else { return }
        if name.count <= space { add(0x09, name) } else { add(0x08, Array(name.prefix(space))) }
    }

    /// The low bytes of a number, lowest first.
    private static func bytes(_ number: UInt64, _ count: UInt64) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
}
