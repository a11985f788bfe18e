/// What waits to be carried out, in the order of its arrival, and never more than a limit.
public struct WaitingLine<Element: Sendable>: Sendable {
    /// How many may wait.
    public let limit: Int
    /// What waits, the oldest first.
    public private(set) var elements: [Element] = []

    /// Makes an empty line.
    public init(limit: Int) { self.limit = limit }

    /// Whether nothing waits.
    public var isEmpty: Bool { elements.isEmpty }
    /// Whether no more may wait.
    public var isFull: Bool { elements.count >= limit }

    /// Refuses one more command if the line is full.
    ///
    /// - Throws: `busy`.
    public func requireRoom() throws(CommandError) {
        guard !isFull else { throw CommandError(.busy, "\(limit) commands wait already") }
    }

    /// Puts something at the end, whether the line is full or not.
    public mutating func append(_ element: Element) { elements.append(element) }

    /// Takes the oldest out; nil if nothing waits.
    public mutating func next() -> Element? { elements.isEmpty ? nil : elements.removeFirst() }

    /// Takes out those that a condition holds for, in their order.
    public mutating func remove(where condition: (Element) -> Bool) -> [Element] {
        let removed = elements.filter(condition)
        elements.removeAll(where: condition)
        return removed
    }
}
