/// Delivers the signals of one match rule; ends when the connection does.
///
/// It holds a bounded number of signals: signals that are not taken in time are dropped, the oldest first, and counted.
/// The rule is taken back when the iteration ends or with the last reference to the sequence. One task iterates.
public struct Signals: AsyncSequence, Sendable {
    /// A signal, decoded.
    public typealias Element = Message
    /// It ends without an error.
    public typealias Failure = Never

    private let stream: AsyncStream<Message>
    private let subscription: Subscription

    init(stream: AsyncStream<Message>, subscription: Subscription) {
        self.stream = stream
        self.subscription = subscription
    }

    /// Begins to take signals.
    public func makeAsyncIterator() -> AsyncStream<Message>.Iterator { stream.makeAsyncIterator() }

    /// How many signals were dropped because they were not taken in time; 0 after the connection has ended.
    public func droppedCount() async -> Int { await subscription.droppedCount() }
}
