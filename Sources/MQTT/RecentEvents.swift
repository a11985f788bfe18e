/// The events that the broker acknowledged recently.
///
/// In a pair or cluster, a broker acknowledges an event before the other brokers have received the event. If the broker
/// is killed, events in transit to the other brokers are lost, as a test with `kill -9` of the first broker of a
/// Mosquitto pair showed. So the next broker receives these events again, like unacknowledged events. Subscribers
/// recognize repeated events by their sequence number.
struct RecentEvents {
    /// How long an event is kept: the maximum time until the other brokers have received it. Usually that takes
    /// milliseconds, more on a busy machine.
    var memory = Duration.milliseconds(500)

    private var messages = Queue<(message: Outbox.QueuedMessage, acknowledged: Duration)>()

    mutating func note(_ message: Outbox.QueuedMessage, at time: Duration) {
        forget(before: time - memory)
        messages.append((message, time))
    }

    /// Handles the end of the connection: only events acknowledged shortly before are kept.
    mutating func disconnected(at time: Duration) { forget(before: time - memory) }

    /// Removes and returns the events acknowledged shortly before the connection ended.
    mutating func take() -> [Outbox.QueuedMessage] {
        var taken: [Outbox.QueuedMessage] = []
        while let next = messages.popFirst() { taken.append(next.message) }
        return taken
    }

    private mutating func forget(before time: Duration) {
        while let oldest = messages.first, oldest.acknowledged < time { _ = messages.popFirst() }
    }
}
