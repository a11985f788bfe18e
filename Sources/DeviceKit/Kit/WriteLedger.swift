public import Bluetooth

/// Assigns a unique token to each write of a machine.
public struct WriteNumbering: Hashable, Sendable {
    private var last: UInt64 = 0

    /// Creates a numbering that starts with token 1. Token 0 is for writes whose completion is ignored.
    public init() {}

    /// Returns the next token.
    public mutating func next() -> WriteToken {
        last += 1
        return WriteToken(last)
    }
}

/// Tracks the purpose of each write in progress, so that the machine knows what a completed write was for.
public struct WriteLedger<Purpose: Sendable>: Sendable {
    @usableFromInline
    struct Entry: Sendable {
        @usableFromInline var token: WriteToken
        @usableFromInline var purpose: Purpose

        @inlinable
        init(token: WriteToken, purpose: Purpose) {
            self.token = token
            self.purpose = purpose
        }
    }

    @usableFromInline var entries: [Entry] = []
    @usableFromInline var numbering = WriteNumbering()

    /// Creates an empty ledger.
    @inlinable
    public init() {}

    /// Starts a write and records its purpose.
    @discardableResult @inlinable
    public mutating func write(
        _ characteristic: CharacteristicID, _ value: [UInt8], _ kind: Write.Kind = .withResponse,
        priority: Write.Priority = .normal, for purpose: Purpose, _ effects: inout Effects
    ) -> WriteToken {
        let token = numbering.next()
        entries.append(Entry(token: token, purpose: purpose))
        effects.write(characteristic, value, kind, priority: priority, token: token)
        return token
    }

    /// Returns the purpose of a completed write; nil for a write that is not in the ledger.
    @inlinable
    public mutating func complete(_ token: WriteToken) -> Purpose? {
        guard let index = entries.firstIndex(where: { $0.token == token }) else { return nil }
        return entries.remove(at: index).purpose
    }

    /// The purposes of the writes in progress, in order.
    public var purposes: [Purpose] { entries.map(\.purpose) }

    /// Whether the purpose of any write in progress meets a condition.
    public func contains(where condition: (Purpose) -> Bool) -> Bool {
        entries.contains { condition($0.purpose) }
    }

    /// Removes writes in progress, for instance when the link is gone: a lost link never reports their completion.
    ///
    /// - Parameter condition: Which writes to remove; all by default.
    /// - Returns: The purposes of the removed writes, in order.
    @discardableResult
    public mutating func forget(where condition: (Purpose) -> Bool = { _ in true }) -> [Purpose] {
        let gone = entries.filter { condition($0.purpose) }
        entries.removeAll { condition($0.purpose) }
        return gone.map(\.purpose)
    }
}
