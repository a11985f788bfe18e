import DeviceKit

/// A packet of raw sensor values, which development firmware notifies on `FE0B` (`AdvancedBeltController` of
/// FSLib-Android's history).
struct BeltSensorPacket: Hashable, Sendable {
    /// The write to `FE0A` that starts the stream.
    static let startCommand: [UInt8] = [0x01, 0x01]

    /// One record of a packet. The meaning of its ID, its axes and its units are unknown.
    struct Record: Hashable, Sendable {
        var id: UInt8
        /// The first number, presumably x.
        var x: Int16
        /// The second number, presumably y.
        var y: Int16
        /// The third number, presumably z.
        var z: Int16

        init(id: UInt8, x: Int16, y: Int16, z: Int16) {
            self.id = id
            self.x = x
            self.y = y
            self.z = z
        }
    }

    /// The number of the packet modulo 256.
    var sequence: UInt8
    var records: [Record]

    init(sequence: UInt8, records: [Record]) {
        self.sequence = sequence
        self.records = records
    }

    /// Decodes at least 2 bytes that start with `01`. Bytes after the last complete record are ignored.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 2, bytes[0] == 0x01 else { return nil }
        sequence = bytes[1]
        records = stride(from: 2, through: bytes.count - 7, by: 7).map { offset in
            Record(
                id: bytes[offset], x: bytes.int16(at: offset + 1), y: bytes.int16(at: offset + 3),
                z: bytes.int16(at: offset + 5))
        }
    }

    var bytes: [UInt8] {
        var bytes = [0x01, sequence]
        for record in records {
            bytes.put(record.id)
            for number in [record.x, record.y, record.z] { bytes.put(number) }
        }
        return bytes
    }
}
