/// Random numbers that are the same in every run, so that a failure can be seen again (SplitMix64).
public struct RandomSource: RandomNumberGenerator, Sendable {
    private var state: UInt64
    private var bytes: ArraySlice<UInt8> = []

    /// Makes a source of a seed.
    public init(seed: UInt64) { state = seed }

    /// Makes a source that gives these bytes first, one a number: so a fuzzer can choose what is drawn.
    public init(_ bytes: [UInt8]) {
        state = 0
        self.bytes = bytes[...]
    }

    /// Whether it has no bytes of its own left, and goes on by its seed.
    public var isSpent: Bool { bytes.isEmpty }

    /// The next 64 bits.
    public mutating func next() -> UInt64 {
        // The byte is the highest one, which chooses in a range, and the lowest one, which becomes a byte.
        if let byte = bytes.popFirst() { return UInt64(byte) &* 0x0101_0101_0101_0101 }
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// So many random bytes, at most.
    public mutating func bytes(atMost limit: Int) -> [UInt8] {
        (0..<Int.random(in: 0...limit, using: &self)).map { _ in UInt8.random(in: 0...255, using: &self) }
    }
}
