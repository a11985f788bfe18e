import Synchronization

/// The messages of browsers that the hub has not yet processed, each as a closure (a letter). Urgent letters come
/// first: stops, and the opening and closing of pages.
final class Mailbox: Sendable {
    /// A closure that processes a message. The number is the position in the order of arrival.
    typealias Letter = @Sendable (_ hub: isolated Hub, _ number: Int) -> Void

    private struct Content {
        var urgent: ArraySlice<(number: Int, letter: Letter)> = []
        var others: ArraySlice<(number: Int, letter: Letter)> = []
        var last = 0
    }

    private let content = Mutex(Content())
    private let waitingUrgent = Atomic(0)

    func add(isUrgent: Bool, _ letter: @escaping Letter) {
        content.withLock {
            $0.last += 1
            if isUrgent { $0.urgent.append(($0.last, letter)) } else { $0.others.append(($0.last, letter)) }
        }
        if isUrgent { waitingUrgent.add(1, ordering: .releasing) }
    }

    /// Removes and returns the next letter, urgent letters first.
    func next() -> (number: Int, letter: Letter)? {
        nextUrgent() ?? content.withLock { $0.others.popFirst() }
    }

    /// Removes and returns the next urgent letter.
    func nextUrgent() -> (number: Int, letter: Letter)? {
        guard waitingUrgent.load(ordering: .acquiring) > 0 else { return nil }
        waitingUrgent.subtract(1, ordering: .relaxed)
        return content.withLock { $0.urgent.popFirst() }
    }
}
