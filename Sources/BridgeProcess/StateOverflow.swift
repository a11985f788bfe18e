import BridgeCore

/// What found no room in the line to the bridge, of topics of which the newest message says all: it is kept, the newest of
/// each, until there is room again.
struct StateOverflow: Sendable {
    private var filters: [TopicFilter] = []
    private var waiting: [String: BridgeCore.IncomingMessage] = [:]
    /// The topics, in the order in which they began to wait.
    private var order: [String] = []

    /// Whether anything waits.
    var isEmpty: Bool { waiting.isEmpty }

    /// Learns from subscriptions which topics are such.
    mutating func learn(_ subscribed: [TopicFilter]) {
        forget(subscribed.map(\.filter))
        filters += subscribed.filter(\.isState)
    }

    /// Forgets subscriptions.
    mutating func forget(_ ended: [String]) { filters.removeAll { ended.contains($0.filter) } }

    /// Puts a message in the place of the one that waits.
    ///
    /// - Returns: Whether one of its topic waits.
    mutating func replace(_ message: BridgeCore.IncomingMessage) -> Bool {
        guard waiting[message.topic] != nil else { return false }
        waiting[message.topic] = message
        return true
    }

    /// Keeps a message that found no room.
    ///
    /// - Returns: Whether it is one to be kept.
    mutating func keep(_ message: BridgeCore.IncomingMessage) -> Bool {
        guard filters.contains(where: { $0.matches(message.topic) }) else { return false }
        if waiting.updateValue(message, forKey: message.topic) == nil { order.append(message.topic) }
        return true
    }

    /// Hands over what waits, in order, as far as there is room.
    mutating func empty(into hasRoom: (BridgeCore.IncomingMessage) -> Bool) {
        while let topic = order.first, let message = waiting[topic], hasRoom(message) {
            order.removeFirst()
            waiting[topic] = nil
        }
    }

    /// Throws away what waits: the connection ended, and what still holds comes again with the next one.
    mutating func clear() { (waiting, order) = ([:], []) }
}
