/// A payload that is kept for the next connection: whole, or by the pieces between quotation marks that differ from
/// those of another one.
///
/// Announcements of devices of one kind have the same keys and differ in the strings with names and addresses: of the
/// 13.9 kB of a TAP 2.5 kB are kept, of the 16.3 kB of a belt 4.2 kB.
enum KeptPayload {
    case whole([UInt8])
    /// The places of the pieces that differ from the pattern's, and these pieces, joined.
    case difference(from: [UInt8], places: [UInt16], [UInt8])

    private static let mark = UInt8(ascii: "\"")

    /// Keeps a payload by what differs from a pattern; nil if they have not as many pieces, or differ in half of the bytes.
    init?(_ payload: [UInt8], like pattern: [UInt8]) {
        let (old, new) = (Self.pieces(of: pattern), Self.pieces(of: payload))
        guard old.count == new.count, new.count <= UInt16.max else { return nil }
        let places = new.indices.filter { pattern[old[$0]] != payload[new[$0]] }
        var different: [UInt8] = []
        for place in places {
            if place != places[0] { different.append(Self.mark) }
            different += payload[new[place]]
        }
        guard 2 * (different.count + 2 * places.count) <= payload.count else { return nil }
        self = .difference(from: pattern, places: places.map(UInt16.init), different)
    }

    /// Whether it has no bytes.
    var isEmpty: Bool { if case .whole(let bytes) = self { bytes.isEmpty } else { false } }

    var bytes: [UInt8] {
        switch self {
        case .whole(let bytes): return bytes
        case .difference(let pattern, let places, let different):
            let changes = Self.pieces(of: different)
            var (bytes, next) = ([UInt8](), 0)
            for (place, piece) in Self.pieces(of: pattern).enumerated() {
                if place > 0 { bytes.append(Self.mark) }
                if next < places.count, places[next] == place {
                    bytes += different[changes[next]]
                    next += 1
                } else {
                    bytes += pattern[piece]
                }
            }
            return bytes
        }
    }

    private static func pieces(of bytes: [UInt8]) -> [Range<Int>] {
        var (pieces, start) = ([Range<Int>](), 0)
        for (index, byte) in bytes.enumerated() where byte == mark {
            pieces.append(start..<index)
            start = index + 1
        }
        pieces.append(start..<bytes.count)
        return pieces
    }
}

/// The long payloads that are kept, by which others are kept that resemble them.
struct PayloadPatterns {
    /// From how many bytes on it is worth the while.
    static let shortest = 2048
    /// How many patterns there are at most.
    static let capacity = 16

    private(set) var patterns: [[UInt8]] = []

    /// Returns a payload as it is to be kept.
    mutating func keep(_ payload: [UInt8]) -> KeptPayload {
        guard payload.count >= Self.shortest else { return .whole(payload) }
        // Payloads that resemble each other are about as long.
        for pattern in patterns.sorted(by: { abs($0.count - payload.count) < abs($1.count - payload.count) })
        {
            if let kept = KeptPayload(payload, like: pattern) { return kept }
        }
        if patterns.count < Self.capacity { patterns.append(payload) }
        return .whole(payload)
    }
}
