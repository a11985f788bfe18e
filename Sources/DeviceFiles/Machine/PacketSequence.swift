/// Distinguishes new packets from repetitions and from older packets, by the sequence number in each packet.
struct PacketSequence: Sendable {
    /// The sequence number of the last packet that was accepted as new.
    private(set) var number: UInt64?
    private var countedAt = Duration.zero

    /// The time without a new packet after which any other number is accepted, because the device has probably
    /// restarted.
    private static let patience = Duration.seconds(4)
    /// The time within which a packet with the same number counts as a repetition.
    static let repetition = Duration.seconds(30)

    /// - Parameter bits: The size of the number in bits. A number is new if it is ahead of the last number by less than
    ///   a quarter of its range.
    mutating func admits(_ number: UInt64, bits: Int, at now: Duration) -> Bool {
        if let last = self.number {
            let steps = (number &- last) & (UInt64.max >> UInt64(64 - bits))
            let isAhead = steps > 0 && steps < 1 << UInt64(bits - 2)
            guard isAhead || now - countedAt >= (steps == 0 ? Self.repetition : Self.patience) else {
                return false
            }
        }
        (self.number, countedAt) = (number, now)
        return true
    }
}
