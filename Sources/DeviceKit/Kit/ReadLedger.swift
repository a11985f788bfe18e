public import Bluetooth

/// Remembers why reads of one characteristic were made. A link answers them in their order, also those that
/// no caller waits for any more.
public struct ReadLedger<Purpose: Sendable>: Sendable {
    /// The characteristic.
    public let characteristic: CharacteristicID
    /// The reads under way, the oldest first; nil for one that was given up.
    private var reads: [Purpose?] = []

    /// Makes an empty ledger.
    public init(_ characteristic: CharacteristicID) { self.characteristic = characteristic }

    /// Reads, and remembers why.
    public mutating func read(for purpose: Purpose, _ effects: inout Effects) {
        reads.append(purpose)
        effects.read(characteristic)
    }

    /// Gives the reads up that are under way: what they say is about an earlier state of the device.
    public mutating func abandon() { for index in reads.indices { reads[index] = nil } }

    /// Takes the purpose of a completed read; nil for one that was given up, or that is not in the ledger.
    public mutating func complete() -> Purpose? { reads.isEmpty ? nil : reads.removeFirst() }

    /// Forgets all reads, since the link is gone.
    ///
    /// - Returns: The purposes of those that were not given up.
    @discardableResult
    public mutating func forget() -> [Purpose] {
        defer { reads = [] }
        return reads.compactMap { $0 }
    }
}
