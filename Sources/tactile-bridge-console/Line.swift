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
    /// Since when filters are subscribed that none watches.
    private var unwatched: [String: Duration] = [:]
    /// For how long they stay so: pages that go to and fro have nothing sent again.
    private static let unsubscribeDelay = Duration.seconds(1)
    /// Whether what is watched is about to be subscribed, and what none watches to be given up.
    var isWatchDue = false
    var isUnsubscribeDue = false
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
        watch([], at: .zero)
        running = Task { [client] in await client.run() }
    }

    /// Subscribes what pages watch, and ends what none has watched for a while.
    func watch(_ filters: Set<String>, at now: Duration) {
        let wanted = Set(Filters.widest(filters.union(standing)))
        let new = wanted.subtracting(subscribed).sorted()
        unwatched = unwatched.filter { !wanted.contains($0.key) }
        for filter in subscribed.subtracting(wanted) where unwatched[filter] == nil {
            unwatched[filter] = now
        }
        let old = unwatched.filter { now - $0.value >= Self.unsubscribeDelay }.map(\.key).sorted()
        for filter in old { unwatched[filter] = nil }
        subscribed = wanted.union(unwatched.keys)
        if !new.isEmpty { client.subscribe(new.map { TopicFilter($0, qos: 1, receivesOwn: true) }) }
        guard !old.isEmpty else { return }
        client.unsubscribe(old)
        let kept = FilterSet(subscribed)
        memory.keep(kept.matches)
    }

    /// When the next filter that none watches is to be given up.
    var nextUnsubscribe: Duration? { unwatched.values.min().map { $0 + Self.unsubscribeDelay } }

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

    /// Sends a message.
    ///
    /// - Returns: Whether it was taken.
    @discardableResult
    func take(_ message: OutgoingMessage) -> Bool { client.assumeIsolated { $0.accept(message) } }

    /// How many commands of a share wait for the broker.
    func waitingCount(of share: String) -> Int { client.assumeIsolated { $0.waitingCount(of: share) } }

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
