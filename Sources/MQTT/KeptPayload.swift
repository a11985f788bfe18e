/// A payload that is kept to be sent again on the next connection, stored whole or as its difference from another
/// payload.
///
/// Long states are similar: the announcements of devices of one kind differ only in names and addresses.
struct KeptPayload {
    /// A complete payload. Similar payloads are stored as their difference from it.
    final class Pattern: Sendable {
        let bytes: [UInt8]

        init(_ bytes: [UInt8]) { self.bytes = bytes }
    }

    private enum Form {
        case whole([UInt8])
        /// A sequence of three numbers and bytes: the count of bytes to copy from the pattern, of its bytes to skip,
        /// and of bytes to add, which follow. Numbers are in groups of seven bits, low groups first.
        case difference(from: Pattern, [UInt8])
    }

    /// The minimum number of equal bytes to copy, the size of a word: a shorter copy costs more than adding the bytes.
    private static let shortestRun = MemoryLayout<UInt64>.size
    /// The maximum length in bytes of a difference in one place. If no equal bytes follow within this length, the rest
    /// of the payload counts as different.
    private static let longestChange = 64

    private let form: Form

    init(_ payload: [UInt8]) { form = .whole(payload) }

    /// Stores a payload as its difference from a pattern; nil if the difference is more than half of the payload.
    init?(_ payload: [UInt8], like pattern: Pattern) {
        let old = pattern.bytes
        // Bytes beyond the length of the pattern always count as difference.
        guard payload.count - old.count <= payload.count / 2 else { return nil }
        guard let script = Self.difference(old.span, payload.span, limit: payload.count / 2) else {
            return nil
        }
        // The copy has no spare capacity, unlike the array that grew.
        form = .difference(from: pattern, script.withUnsafeBufferPointer { Array($0) })
    }

    var isEmpty: Bool {
        guard case .whole(let bytes) = form else { return false }
        return bytes.isEmpty
    }

    /// The number of bytes that this payload occupies in addition to its pattern.
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

    // MARK: Comparison

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

    /// Returns how many bytes of the pattern to skip and how many new bytes to add until at least eight bytes are equal
    /// again. Returns all remaining bytes if no equal bytes follow within ``longestChange``.
    private static func change(_ old: Span<UInt8>, _ i: Int, _ new: Span<UInt8>, _ j: Int) -> (Int, Int) {
        guard j < new.count else { return (0, 0) }
        let agreed: (Int, Int)? = old.withUnsafeBytes { old in
            new.withUnsafeBytes { new in
                let (lastOld, lastNew) = (old.count - shortestRun, new.count - shortestRun)
                // Compares eight bytes at once, because this function runs thousands of times per piece if the payloads
                // are dissimilar.
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

    /// Returns the number of equal bytes from two positions on.
    private static func run(_ old: Span<UInt8>, _ i: Int, _ new: Span<UInt8>, _ j: Int) -> Int {
        let end = min(old.count - i, new.count - j)
        let word = MemoryLayout<UInt64>.size
        return old.withUnsafeBytes { old in
            new.withUnsafeBytes { new in
                var length = 0
                // Compares eight bytes at a time: similar payloads are mostly equal.
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

/// The long payloads that serve as patterns for similar payloads.
struct PayloadPatterns {
    /// The minimum size in bytes of a payload that is compared.
    static let shortest = 2048
    /// The maximum number of patterns.
    static let capacity = 16

    private(set) var patterns: [KeptPayload.Pattern] = []

    /// Returns a payload in the form in which it is stored; a long payload may become a pattern.
    mutating func keep(_ payload: [UInt8]) -> KeptPayload {
        guard payload.count >= Self.shortest else { return KeptPayload(payload) }
        // The patterns with the nearest lengths are compared first, because similar payloads have about the same
        // length, and dissimilar payloads take long to compare.
        func gap(_ pattern: KeptPayload.Pattern) -> Int { abs(pattern.bytes.count - payload.count) }
        for pattern in patterns.sorted(by: { gap($0) < gap($1) }) {
            if let kept = KeptPayload(payload, like: pattern) { return kept }
        }
        if patterns.count < Self.capacity { patterns.append(KeptPayload.Pattern(payload)) }
        return KeptPayload(payload)
    }
}
