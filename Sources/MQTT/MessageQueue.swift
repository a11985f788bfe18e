/// The messages that wait, in order, with the number of each share, so that one sender cannot displace the others.
struct MessageQueue {
    private var messages = Queue<Outbox.QueuedMessage>()
    /// How many messages of each share wait.
    private var counts: [String: Int] = [:]
    /// The share that had the most messages when one was last added or looked for.
    private var largest = ""

    var count: Int { messages.count }
    var isEmpty: Bool { messages.isEmpty }
    var first: Outbox.QueuedMessage? { messages.first }

    /// How many messages of a share wait.
    func count(of share: String) -> Int { counts[share] ?? 0 }

    mutating func append(_ message: Outbox.QueuedMessage) {
        messages.append(message)
        add(message)
    }

    /// Puts messages in front of all others, in their order.
    mutating func prepend(contentsOf others: [Outbox.QueuedMessage]) {
        messages.prepend(contentsOf: others)
        for message in others { add(message) }
    }

    mutating func popFirst() -> Outbox.QueuedMessage? {
        let message = messages.popFirst()
        if let message { remove(message) }
        return message
    }

    /// Takes out the oldest message of the share that has the most.
    mutating func popOfLargestShare() -> Outbox.QueuedMessage? {
        // The largest has at least the average; below it, another one is.
        if count(of: largest) * counts.count < count {
            largest = counts.max { $0.value < $1.value }?.key ?? ""
        }
        guard count(of: largest) > 1 else { return popFirst() }
        let message = messages.popFirst { [largest] in $0.share == largest }
        if let message { remove(message) }
        return message
    }

    /// Takes out every reply and returns how many went.
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
