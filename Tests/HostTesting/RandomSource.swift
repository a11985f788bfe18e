/// Random numbers that are the same in every run, so that a failure is reproducible (SplitMix64).
public struct RandomSource: RandomNumberGenerator, Sendable {
    private var state: UInt64
    private var bytes: ArraySlice<UInt8> = []

    /// Creates a source from a seed.
    public init(seed: UInt64) { state = seed }

    /// Creates a source that returns these bytes first, one per number, so that a fuzzer can choose the numbers.
    public init(_ bytes: [UInt8]) {
        state = 0
        self.bytes = bytes[...]
    }

    /// Whether all bytes are used up, so that the seed determines the next numbers.
    public var isSpent: Bool { bytes.isEmpty }

    /// Returns the next 64 bits.
    public mutating func next() -> UInt64 {
        // The byte is both the highest byte, which chooses in a range, and the lowest one, which becomes a byte.
        if let byte = bytes.popFirst() { return UInt64(byte) &* 0x0101_0101_0101_0101 }
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Returns random bytes, up to this number.
    public mutating func bytes(atMost limit: Int) -> [UInt8] {
        (0..<Int.random(in: 0...limit, using: &self)).map { _ in UInt8.random(in: 0...255, using: &self) }
    }
}
