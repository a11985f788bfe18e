/// A queue with a maximum number of elements.
public struct WaitingLine<Element: Sendable>: Sendable {
    /// The maximum number of elements in the queue.
    public let limit: Int
    /// The queued elements, oldest first.
    public private(set) var elements: [Element] = []

    /// Creates an empty queue.
    public init(limit: Int) { self.limit = limit }

    /// Whether the queue is empty.
    public var isEmpty: Bool { elements.isEmpty }
    /// Whether the queue has reached its limit.
    public var isFull: Bool { elements.count >= limit }

    /// Throws an error if the queue is full, so that the caller refuses the command.
    ///
    /// - Throws: `busy`.
    public func requireRoom() throws(CommandError) {
        guard !isFull else { throw CommandError(.busy, "\(limit) commands are already waiting") }
    }

    /// Appends an element, even beyond the limit.
    public mutating func append(_ element: Element) { elements.append(element) }

    /// Removes the oldest element and returns it; nil if the queue is empty.
    public mutating func next() -> Element? { elements.isEmpty ? nil : elements.removeFirst() }

    /// Removes the elements that meet a condition, and returns them in order.
    public mutating func remove(where condition: (Element) -> Bool) -> [Element] {
        let removed = elements.filter(condition)
        elements.removeAll(where: condition)
        return removed
    }
}
