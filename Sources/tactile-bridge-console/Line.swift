import Console
import EventLoop
import MQTT
import Messages

/// A connection to the broker with what pages watch over it: one for all of them, or one for each login.
///
/// It belongs to the hub, on whose loop it is used.
final class Line {
    let client: Client
    /// Where the bridges' answers come.
    let replyTopic: String
    /// What is subscribed whatever pages watch.
    let standing: [String]
    private(set) var isConnected = false
    /// Why there is no connection.
    private(set) var reason: String?
    var memory = StateMemory()
    var questions = Questions()
    /// Which tabs get the messages of a topic, as far as it was looked up.
    var routes: [String: [Int]] = [:]
    /// The newest value of each bridge's message to itself.
    var echoes: [String: String] = [:]
    private var subscribed: Set<String> = []
    private var running: Task<Void, Never>?
    /// Called once, when the broker has let the client in or has not.
    var onOutcome: ((MQTTError?) -> Void)?

    init(_ client: Client, replyTopic: String, standing: [String]) {
        self.client = client
        self.replyTopic = replyTopic
        self.standing = standing + ["\(replyTopic)/#"]
    }

    /// Begins to connect.
    func run() {
        watch([])
        running = Task { [client] in await client.run() }
    }

    /// Subscribes what pages watch, and ends what none watches any more.
    func watch(_ filters: Set<String>) {
        let wanted = Set(Filters.widest(filters.union(standing)))
        let new = wanted.subtracting(subscribed).sorted()
        let old = subscribed.subtracting(wanted).sorted()
        subscribed = wanted
        if !new.isEmpty { client.subscribe(new.map { TopicFilter($0, qos: 1, receivesOwn: true) }) }
        guard !old.isEmpty else { return }
        client.unsubscribe(old)
        let kept = FilterSet(wanted)
        memory.keep(kept.matches)
    }

    func connected() {
        (isConnected, reason) = (true, nil)
        onOutcome?(nil)
        onOutcome = nil
    }

    func disconnected(_ error: MQTTError) {
        (isConnected, reason) = (false, "\(error)")
        echoes = [:]
        onOutcome?(error)
        onOutcome = nil
    }

    /// Whether what is published now goes to the broker at once.
    var isWritable: Bool { isConnected && client.assumeIsolated { $0.isWritable } }

    func close() {
        onOutcome = nil
        let client = client
        Task { await client.close(within: .seconds(1)) }
    }

    /// Sends last what still is to be sent, and ends.
    func finish() async {
        await client.close(within: .seconds(1))
        await running?.value
    }
}
