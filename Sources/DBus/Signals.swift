/// The signals of one match rule; finishes when the connection ends.
///
/// It buffers a limited number of signals. Signals that are not consumed in time are dropped, oldest first, and
/// counted. The rule is removed when the iteration ends, or with the last reference to the sequence. Only one task may
/// iterate.
public struct Signals: AsyncSequence, Sendable {
    /// A decoded signal.
    public typealias Element = Message
    /// The sequence throws no errors.
    public typealias Failure = Never

    private let stream: AsyncStream<Message>
    private let subscription: Subscription

    init(stream: AsyncStream<Message>, subscription: Subscription) {
        self.stream = stream
        self.subscription = subscription
    }

    /// Starts the iteration.
    public func makeAsyncIterator() -> AsyncStream<Message>.Iterator { stream.makeAsyncIterator() }

    /// Returns the number of signals dropped because they were not consumed in time; 0 after the end of the connection.
    public func droppedCount() async -> Int { await subscription.droppedCount() }
}
