public import Bluetooth

/// Tracks the purpose of reads of one characteristic. An abandoned read, whose value is no longer needed, still
/// completes in its turn.
public struct ReadLedger<Purpose: Sendable>: Sendable {
    /// The characteristic whose reads are tracked.
    public let characteristic: CharacteristicID
    /// The reads in progress, oldest first; nil for an abandoned read.
    private var reads: [Purpose?] = []

    /// Creates an empty ledger.
    public init(_ characteristic: CharacteristicID) { self.characteristic = characteristic }

    /// Starts a read and records its purpose.
    public mutating func read(for purpose: Purpose, _ effects: inout Effects) {
        reads.append(purpose)
        effects.read(characteristic)
    }

    /// Abandons the reads in progress, because their values are from before a change of the device.
    public mutating func abandon() { for index in reads.indices { reads[index] = nil } }

    /// Returns the purpose of a completed read; nil if it was abandoned or is not in the ledger.
    public mutating func complete() -> Purpose? { reads.isEmpty ? nil : reads.removeFirst() }

    /// Removes all reads, because the link is gone.
    ///
    /// - Returns: The purposes of the reads that were not abandoned.
    @discardableResult
    public mutating func forget() -> [Purpose] {
        defer { reads = [] }
        return reads.compactMap { $0 }
    }
}
