/// The waiting messages, in order. They are also counted by share, the group that a message belongs to (`share` of
/// ``OutgoingMessage``), so that a sender of many messages cannot displace the messages of other senders.
struct MessageQueue {
    private var messages = Queue<Outbox.QueuedMessage>()
    /// The number of waiting messages of each share.
    private var counts: [String: Int] = [:]
    /// The share that had the most messages when it was last determined; possibly outdated.
    private var largest = ""

    var count: Int { messages.count }
    var isEmpty: Bool { messages.isEmpty }
    var first: Outbox.QueuedMessage? { messages.first }

    func count(of share: String) -> Int { counts[share] ?? 0 }

    mutating func append(_ message: Outbox.QueuedMessage) {
        messages.append(message)
        add(message)
    }

    /// Inserts messages in front of all others, in their order.
    mutating func prepend(contentsOf others: [Outbox.QueuedMessage]) {
        messages.prepend(contentsOf: others)
        for message in others { add(message) }
    }

    mutating func popFirst() -> Outbox.QueuedMessage? {
        let message = messages.popFirst()
        if let message { remove(message) }
        return message
    }

    /// Removes the oldest message of the largest share.
    mutating func popOfLargestShare() -> Outbox.QueuedMessage? {
        // The largest share has at least the average count of messages. If `largest` has fewer, a different share is
        // the largest.
        if count(of: largest) * counts.count < count {
            largest = counts.max { $0.value < $1.value }?.key ?? ""
        }
        guard count(of: largest) > 1 else { return popFirst() }
        let message = messages.popFirst { [largest] in $0.share == largest }
        if let message { remove(message) }
        return message
    }

    /// Removes all replies; returns their number.
    mutating func removeReplies() -> Int {
        let removed = messages.keep { !$0.isReply }
        guard removed > 0 else { return 0 }
        var others = MessageQueue()
        while let message = messages.popFirst() { others.append(message) }
        self = others
        return removed
    }

    private mutating func add(_ message: Outbox.QueuedMessage) {
        counts[message.share, default: 0] += 1
        if count(of: message.share) > count(of: largest) { largest = message.share }
    }

    private mutating func remove(_ message: Outbox.QueuedMessage) {
        let left = count(of: message.share) - 1
        counts[message.share] = left > 0 ? left : nil
    }
}
