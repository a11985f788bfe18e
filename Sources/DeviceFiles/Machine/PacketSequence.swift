/// Distinguishes new packets from repetitions and from older packets, by the sequence number in each packet.
struct PacketSequence: Sendable {
    /// The sequence number of the last packet that was accepted as new.
    private(set) var number: UInt64?
    /// The time at which the last packet was accepted as new. It is unknown (nil) if ``number`` was stored before a
    /// restart of the bridge.
    private var countedAt: Duration?

    /// - Parameter number: The number of the last packet before a restart; nil if unknown.
    init(after number: UInt64? = nil) { self.number = number }

    /// The time without a new packet after which any other number is accepted, because the device has probably
    /// restarted.
    private static let patience = Duration.seconds(4)

    /// - Parameter bits: The size of the number in bits. A number is new if it is ahead of the last number, counted
    ///   with wrap-around, by less than a quarter of the range of numbers. The first number after a restart is new
    ///   unless it is the stored number or behind it by at most a quarter: the stored number is that of the last event,
    ///   and the device may have sent any number of other packets since.
    mutating func admits(_ number: UInt64, bits: Int, at now: Duration) -> Bool {
        if let last = self.number {
            let quarter: UInt64 = 1 << UInt64(bits - 2)
            let limit = countedAt == nil ? 3 * quarter : quarter
            // The time of a number that was stored before a restart is not known, so the time without a new packet is
            // counted from now.
            let countedAt = countedAt ?? now
            self.countedAt = countedAt
            let steps = (number &- last) & (UInt64.max >> UInt64(64 - bits))
            let isAhead = steps > 0 && steps < limit
            guard isAhead || now - countedAt >= (steps == 0 ? RecentPackets.memory : Self.patience) else {
                return false
            }
        }
        (self.number, countedAt) = (number, now)
        return true
    }
}

/// The packets that a device advertised in the last 30 s. A packet with the same bytes as an earlier packet is a
/// repetition.
struct RecentPackets: Sendable {
    enum Repetition: Hashable, Sendable {
        /// The packet has the same bytes as the packet immediately before.
        case last
        /// The packet has the same bytes as an older packet. It may report a state that was valid before, but it causes
        /// no event.
        case earlier
    }

    static let memory = Duration.seconds(30)
    private static let limit = 32

    private var last: (bytes: [UInt8], at: Duration)?
    private var earlier: [(bytes: [UInt8], at: Duration)] = []

    /// Records a packet. Returns which packet it repeats; nil if it is new.
    mutating func note(_ bytes: [UInt8], at now: Duration) -> Repetition? {
        defer { last = (bytes, now) }
        if let last, last.bytes == bytes, now - last.at < Self.memory { return .last }
        earlier.removeAll { now - $0.at >= Self.memory }
        guard !earlier.contains(where: { $0.bytes == bytes }) else { return .earlier }
        if earlier.count >= Self.limit { earlier.removeFirst() }
        earlier.append((bytes, now))
        return nil
    }
}
