/// Distinguishes new packets from repetitions and from older packets, by a number that counts the packets.
struct PacketSequence: Sendable {
    /// The number of the last packet that counted.
    private(set) var number: UInt64?
    private var countedAt = Duration.zero

    /// The time after which a number that is not ahead counts: the device has restarted.
    private static let patience = Duration.seconds(4)
    /// The time within which a device repeats a packet.
    static let repetition = Duration.seconds(30)

    /// - Parameter bits: The size of the number. It is ahead within a quarter of its range.
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
