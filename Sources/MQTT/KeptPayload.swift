/// A payload that is kept for the next connection: whole, or by how it differs from another one.
///
/// Long states resemble each other: the announcements of devices of one kind differ in names and addresses only.
struct KeptPayload {
    /// A payload by which others are kept.
    final class Pattern: Sendable {
        let bytes: [UInt8]

        init(_ bytes: [UInt8]) { self.bytes = bytes }
    }

    private enum Form {
        case whole([UInt8])
        /// Numbers in groups of seven bits, the low ones first: bytes to copy from the pattern, bytes of it to leave out,
        /// and bytes to add, which follow; again and again.
        case difference(from: Pattern, [UInt8])
    }

    /// How many bytes must agree to be copied, those of a word: fewer cost more to tell than to add.
    private static let shortestRun = MemoryLayout<UInt64>.size
    /// How long a piece may be that differs.
    private static let longestChange = 64

    private let form: Form

    /// Keeps a payload whole.
    init(_ payload: [UInt8]) { form = .whole(payload) }

    /// Keeps a payload by what differs from a pattern; nil if that is more than half of it.
    init?(_ payload: [UInt8], like pattern: Pattern) {
        let old = pattern.bytes
        // What the pattern is too short to give is added.
        guard payload.count - old.count <= payload.count / 2 else { return nil }
        guard let script = Self.difference(old.span, payload.span, limit: payload.count / 2) else {
            return nil
        }
        // Without the room in which it grew.
        form = .difference(from: pattern, script.withUnsafeBufferPointer { Array($0) })
    }

    /// Whether it has no bytes.
    var isEmpty: Bool {
        guard case .whole(let bytes) = form else { return false }
        return bytes.isEmpty
    }

    /// How many bytes are kept for it alone.
    var cost: Int {
        switch form {
        case .whole(let bytes): bytes.count
        case .difference(_, let script): script.count
        }
    }

    var bytes: [UInt8] {
        guard case .difference(let pattern, let script) = form else {
            guard case .whole(let bytes) = form else { return [] }
            return bytes
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(pattern.bytes.count + script.count)
        var (place, next) = (0, 0)
        func number() -> Int {
            var (value, shift) = (0, 0)
            while true {
                let byte = script[next]
                next += 1
                value |= Int(byte & 0x7F) << shift
                guard byte & 0x80 != 0 else { return value }
                shift += 7
            }
        }
        while next < script.count {
            let (copied, skipped, added) = (number(), number(), number())
            bytes += pattern.bytes[place..<(place + copied)]
            place += copied + skipped
            bytes += script[next..<(next + added)]
            next += added
        }
        return bytes
    }

    // MARK: Comparing

    private static func difference(_ old: Span<UInt8>, _ new: Span<UInt8>, limit: Int) -> [UInt8]? {
        var script: [UInt8] = []
        var (i, j) = (0, 0)
        while j < new.count {
            let same = run(old, i, new, j)
            (i, j) = (i + same, j + same)
            let (skipped, added) = change(old, i, new, j)
            guard script.count + added <= limit else { return nil }
            for number in [same, skipped, added] { append(number, to: &script) }
            for place in j..<(j + added) { script.append(new[place]) }
            (i, j) = (i + skipped, j + added)
        }
        return script
    }

    /// How much to leave out and to add until the two agree again, for eight bytes at least; all of the rest, where they
    /// do not soon.
    private static func change(_ old: Span<UInt8>, _ i: Int, _ new: Span<UInt8>, _ j: Int) -> (Int, Int) {
        guard j < new.count else { return (0, 0) }
        let agreed: (Int, Int)? = old.withUnsafeBytes { old in
            new.withUnsafeBytes { new in
                let (lastOld, lastNew) = (old.count - shortestRun, new.count - shortestRun)
                // Where payloads do not resemble each other, this is asked thousands of times for each piece.
                func agree(_ skipped: Int, _ added: Int) -> Bool {
                    i + skipped <= lastOld && j + added <= lastNew
                        && old.loadUnaligned(fromByteOffset: i + skipped, as: UInt64.self)
                            == new.loadUnaligned(fromByteOffset: j + added, as: UInt64.self)
                }
                for length in 1...longestChange {
                    if agree(length, length) { return (length, length) }
                    for shorter in 0..<length {
                        if agree(shorter, length) { return (shorter, length) }
                        if agree(length, shorter) { return (length, shorter) }
                    }
                }
                return nil
            }
        }
        return agreed ?? (old.count - i, new.count - j)
    }

    /// How many bytes agree from two places on.
    private static func run(_ old: Span<UInt8>, _ i: Int, _ new: Span<UInt8>, _ j: Int) -> Int {
        let end = min(old.count - i, new.count - j)
        let word = MemoryLayout<UInt64>.size
        return old.withUnsafeBytes { old in
            new.withUnsafeBytes { new in
                var length = 0
                // Eight bytes at a time: most of two payloads that resemble each other agrees.
                while length + word <= end,
                    old.loadUnaligned(fromByteOffset: i + length, as: UInt64.self)
                        == new.loadUnaligned(fromByteOffset: j + length, as: UInt64.self)
                {
                    length += word
                }
                while length < end, old[i + length] == new[j + length] { length += 1 }
                return length
            }
        }
    }

    private static func append(_ number: Int, to script: inout [UInt8]) {
        var rest = number
        while rest >= 0x80 {
            script.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        script.append(UInt8(rest))
    }
}

/// The long payloads that are kept, by which others are kept that resemble them.
struct PayloadPatterns {
    /// From how many bytes on it is worth the while.
    static let shortest = 2048
    /// How many patterns there are at most.
    static let capacity = 16

    private(set) var patterns: [KeptPayload.Pattern] = []

    /// Returns a payload as it is to be kept.
    mutating func keep(_ payload: [UInt8]) -> KeptPayload {
        guard payload.count >= Self.shortest else { return KeptPayload(payload) }
        // What is alike is about as long, and what is not alike takes long to compare.
        func gap(_ pattern: KeptPayload.Pattern) -> Int { abs(pattern.bytes.count - payload.count) }
        for pattern in patterns.sorted(by: { gap($0) < gap($1) }) {
            if let kept = KeptPayload(payload, like: pattern) { return kept }
        }
        if patterns.count < Self.capacity { patterns.append(KeptPayload.Pattern(payload)) }
        return KeptPayload(payload)
    }
}
