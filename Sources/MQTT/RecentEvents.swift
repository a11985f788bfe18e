/// The events that the broker acknowledged a moment ago.
///
/// A broker acknowledges an event before its peers have it. If it is killed, events on the way to them are lost, as
/// `kill -9` of the first broker of a Mosquitto pair shows. So the next broker receives these events again, as it receives
/// those that were not acknowledged; subscribers recognize repeated events by the number in them.
struct RecentEvents {
    /// How long an acknowledged event may take to the other brokers: milliseconds mostly, more where a machine is busy.
    var memory = Duration.milliseconds(500)

    private var messages = Queue<(message: Outbox.QueuedMessage, acknowledged: Duration)>()

    /// Notes that the broker acknowledged an event.
    mutating func note(_ message: Outbox.QueuedMessage, at time: Duration) {
        forget(before: time - memory)
        messages.append((message, time))
    }

    /// Notes that the connection ended: what counts is what was acknowledged shortly before.
    mutating func disconnected(at time: Duration) { forget(before: time - memory) }

    /// Gives what was acknowledged shortly before the connection ended, and forgets it.
    mutating func take() -> [Outbox.QueuedMessage] {
        var taken: [Outbox.QueuedMessage] = []
        while let next = messages.popFirst() { taken.append(next.message) }
        return taken
    }

    private mutating func forget(before time: Duration) {
        while let oldest = messages.first, oldest.acknowledged < time { _ = messages.popFirst() }
    }
}
