/// Encodes the fields of a message to bytes.
struct FieldWriter: FieldCoder {
    private(set) var encoded: [UInt8] = []

    mutating func unsigned(_ number: Int, _ value: inout UInt64) {
        if value != 0 { write(number, value) }
    }

    mutating func list(_ number: Int, _ values: inout [UInt64]) {
        for value in values { write(number, value) }
    }

    mutating func bytes(_ number: Int, _ value: inout [UInt8], most: Int) {
        if !value.isEmpty { write(number, value) }
    }

    mutating func messages<Message: Fields>(_ number: Int, _ values: inout [Message]) throws(MessageError) {
        for var value in values {
            var writer = FieldWriter()
            try value.code(&writer)
            write(number, writer.encoded)
        }
    }

    private mutating func write(_ number: Int, _ value: UInt64) {
        encoded += Varint.bytes(UInt64(number << 3))
        encoded += Varint.bytes(value)
    }

    private mutating func write(_ number: Int, _ value: [UInt8]) {
        encoded += Varint.bytes(UInt64(number << 3 | 2))
        encoded += Varint.bytes(UInt64(value.count))
        encoded += value
    }
}
