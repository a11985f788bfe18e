/// Collects events, and returns them one after the other.
actor Journal<Event: Sendable> {
    /// The journal has no further event, because the time limit of the test has passed.
    struct Ended: Error {}

    private var iterator: AsyncStream<Event>.AsyncIterator
    private(set) var seen: [Event] = []
    nonisolated let add: @Sendable (Event) -> Void

    init() {
        let (stream, continuation) = AsyncStream.makeStream(of: Event.self)
        iterator = stream.makeAsyncIterator()
        add = { continuation.yield($0) }
    }

    /// Waits for the next matching event; earlier events are skipped.
    @discardableResult
    func next(where condition: @Sendable (Event) -> Bool) async throws -> Event {
        while true {
            var copy = iterator
            guard let event = await copy.next(isolation: self) else { throw Ended() }
            iterator = copy
            seen.append(event)
            if condition(event) { return event }
        }
    }
}

extension Journal where Event: Equatable {
    func next(_ event: Event) async throws { try await next { $0 == event } }
}
