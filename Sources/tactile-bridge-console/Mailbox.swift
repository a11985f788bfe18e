import Synchronization

/// What browsers have sent and the hub has not read yet, stops ahead of everything else.
final class Mailbox: Sendable {
    /// What is to be done with a letter; its number tells in which order letters came.
    typealias Letter = @Sendable (_ hub: isolated Hub, _ number: Int) -> Void

    private struct Content {
        var stops: ArraySlice<(number: Int, letter: Letter)> = []
        var others: ArraySlice<(number: Int, letter: Letter)> = []
        var last = 0
    }

    private let content = Mutex(Content())
    private let waitingStops = Atomic(0)

    /// Adds a letter.
    func add(isStop: Bool, _ letter: @escaping Letter) {
        content.withLock {
            $0.last += 1
            if isStop { $0.stops.append(($0.last, letter)) } else { $0.others.append(($0.last, letter)) }
        }
        if isStop { waitingStops.add(1, ordering: .releasing) }
    }

    /// The next letter.
    func next() -> (number: Int, letter: Letter)? {
        nextStop() ?? content.withLock { $0.others.popFirst() }
    }

    /// The next stop.
    func nextStop() -> (number: Int, letter: Letter)? {
        guard waitingStops.load(ordering: .acquiring) > 0 else { return nil }
        waitingStops.subtract(1, ordering: .relaxed)
        return content.withLock { $0.stops.popFirst() }
    }
}
