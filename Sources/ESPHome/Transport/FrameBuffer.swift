/// Collects received bytes and cuts them into frames.
struct FrameBuffer: Sendable {
    /// The maximum length in bytes of a plain frame's payload or an encrypted frame's body.
    static let maximumLength = 65_535

    private var bytes: ArraySlice<UInt8> = []

    mutating func append(_ received: [UInt8]) { bytes = ArraySlice(bytes + received) }

    /// The first byte of the next frame; nil if nothing has arrived.
    var indicator: UInt8? { bytes.first }

    /// Removes and returns a plain frame; nil if it is incomplete.
    mutating func takePlain() throws(TransportError) -> Frame? {
        guard let indicator else { return nil }
        guard indicator == 0 else {
            throw TransportError(.invalidFrame, "a frame starts with \(indicator), expected 0")
        }
        var rest = bytes.dropFirst()
        guard let length = try Self.number(&rest, most: Self.maximumLength, "payload"),
            let type = try Self.number(&rest, most: Int(UInt16.max), "number of its message"),
            rest.count >= length
        else { return nil }
        bytes = rest.dropFirst(length)
        return Frame(type: UInt16(type), payload: Array(rest.prefix(length)))
    }

    /// Removes an encrypted frame and returns its body; nil if it is incomplete.
    mutating func takeBody(most: Int = Self.maximumLength) throws(TransportError) -> [UInt8]? {
        guard let indicator else { return nil }
        guard indicator == 1 else {
            throw TransportError(.invalidFrame, "a frame starts with \(indicator), expected 1")
        }
        let header = bytes.prefix(3)
        guard header.count == 3 else { return nil }
        let length = Int(header[header.startIndex + 1]) << 8 | Int(header[header.startIndex + 2])
        guard length <= most else {
            throw TransportError(.invalidFrame, "a frame has \(length) bytes, expected at most \(most)")
        }
        guard bytes.count >= 3 + length else { return nil }
        bytes = bytes.dropFirst(3)
        defer { bytes = bytes.dropFirst(length) }
        return Array(bytes.prefix(length))
    }

    private static func number(
        _ rest: inout ArraySlice<UInt8>, most: Int, _ name: String
    ) throws(TransportError) -> Int? {
        let number: UInt64?
        do { number = try Varint.take(from: &rest) } catch {
            throw TransportError(.invalidFrame, error.description)
        }
        guard let number else { return nil }
        guard number <= UInt64(most) else {
            throw TransportError(.invalidFrame, "the \(name) is \(number), expected at most \(most)")
        }
        return Int(number)
    }

    static func plain(_ frame: Frame) -> [UInt8] {
        [0] + Varint.bytes(UInt64(frame.payload.count)) + Varint.bytes(UInt64(frame.type)) + frame.payload
    }

    static func body(_ bytes: [UInt8]) -> [UInt8] {
        [1, UInt8(truncatingIfNeeded: bytes.count >> 8), UInt8(truncatingIfNeeded: bytes.count)] + bytes
    }

    /// Returns the clear text of an encrypted frame: the message number and the payload's length, 16 bits each with the
    /// high byte first, and the payload.
    static func clearText(_ frame: Frame) -> [UInt8] {
        let count = frame.payload.count
        return [
            UInt8(frame.type >> 8), UInt8(frame.type & 0xFF), UInt8(truncatingIfNeeded: count >> 8),
            UInt8(truncatingIfNeeded: count),
        ] + frame.payload
    }

    /// Parses a clear text. Bytes after the payload are ignored, as in ESPHome's firmware.
    static func frame(_ clearText: [UInt8]) throws(TransportError) -> Frame {
        guard clearText.count >= 4 else {
            throw TransportError(.invalidFrame, "a message has \(clearText.count) bytes, expected at least 4")
        }
        let length = Int(clearText[2]) << 8 | Int(clearText[3])
        guard clearText.count >= 4 + length else {
            throw TransportError(
                .invalidFrame, "a message has \(clearText.count - 4) bytes, expected \(length)")
        }
        return Frame(
            type: UInt16(clearText[0]) << 8 | UInt16(clearText[1]), payload: Array(clearText[4..<4 + length]))
    }
}
