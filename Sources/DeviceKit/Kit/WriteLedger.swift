public import Bluetooth

/// Gives each write of a machine a token of its own.
public struct WriteNumbering: Hashable, Sendable {
    private var last: UInt64 = 0

    /// Begins with token 1; token 0 is that of writes whose completion means nothing.
    public init() {}

    /// The next token.
    public mutating func next() -> WriteToken {
        last += 1
        return WriteToken(last)
    }
}

/// Remembers why each write was made that is not completed yet, so that its completion finds who asked.
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

    /// Makes an empty ledger.
    @inlinable
    public init() {}

    /// Writes and remembers why.
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

    /// Takes the purpose of a completed write; nil for a write that is not in the ledger.
    @inlinable
    public mutating func complete(_ token: WriteToken) -> Purpose? {
        guard let index = entries.firstIndex(where: { $0.token == token }) else { return nil }
        return entries.remove(at: index).purpose
    }

    /// The purposes of the writes under way, in the order of the writes.
    public var purposes: [Purpose] { entries.map(\.purpose) }

    /// Whether a write under way has such a purpose.
    public func contains(where condition: (Purpose) -> Bool) -> Bool {
        entries.contains { condition($0.purpose) }
    }

    /// Forgets the writes under way, in the order of the writes: a link's end completes none of them.
    ///
    /// - Parameter condition: Which of them; all if left out.
    /// - Returns: Their purposes.
    @discardableResult
    public mutating func forget(where condition: (Purpose) -> Bool = { _ in true }) -> [Purpose] {
        let gone = entries.filter { condition($0.purpose) }
        entries.removeAll { condition($0.purpose) }
        return gone.map(\.purpose)
    }
}
