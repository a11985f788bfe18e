import Console
import EventLoop
import MQTT
import Messages

/// A connection to the broker with the subscriptions of pages. All pages share one connection, or each login has its
/// own.
///
/// An instance belongs to the hub, and is used on the hub's loop.
final class Line {
    let client: Client
    /// The topic on which bridges answer commands of this connection.
    let replyTopic: String
    /// The filters that are always subscribed, whatever pages watch.
    let standing: [String]
    private(set) var isConnected = false
    /// The reason why there is no connection; nil while connected.
    private(set) var reason: String?
    /// The filters whose subscription the broker has not answered.
    private var unanswered: Set<String> = []
    /// The time at which the broker last answered a subscription or sent a state.
    private var stateAt: Duration?
    var memory = StateMemory()
    var questions = Questions()
    /// The messages of the roster that wait for the broker, by topic.
    var writes: [String: RosterWrite] = [:]
    /// A cache of the numbers of the tabs that receive the messages of a topic.
    var routes: [String: [Int]] = [:]
    /// The newest value of each bridge's topic `echo`, by the bridge's id. Drive commands contain this value to show
    /// that they are not delayed.
    var echoes: [String: String] = [:]
    private var subscribed: Set<String> = []
    /// The subscribed filters that no page watches, with the time at which the last page stopped watching each of them.
    private var unwatched: [String: Duration] = [:]
    /// The delay before unsubscribing from a filter. It prevents the broker from sending retained messages again when a
    /// page switches back and forth.
    private static let unsubscribeDelay = Duration.seconds(1)
    /// Whether a call of ``watch(_:at:)`` is scheduled.
    var isWatchDue = false
    var isUnsubscribeDue = false
    private var running: Task<Void, Never>?
    /// Called once, when the broker has accepted or rejected the client.
    var onOutcome: ((MQTTError?) -> Void)?

    init(_ client: Client, replyTopic: String, standing: [String]) {
        self.client = client
        self.replyTopic = replyTopic
        self.standing = standing + ["\(replyTopic)/#"]
    }

    func run() {
        watch([], at: .zero)
        running = Task { [client] in await client.run() }
    }

    /// Subscribes to watched filters, and unsubscribes from filters that have been unwatched for a while.
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
        unanswered.formIntersection(subscribed)
        if isConnected { unanswered.formUnion(new) }
        if !new.isEmpty { client.subscribe(new.map { TopicFilter($0, qos: 1, receivesOwn: true) }) }
        guard !old.isEmpty else { return }
        client.unsubscribe(old)
        let kept = FilterSet(subscribed)
        memory.keep(kept.matches)
    }

    /// The time at which to unsubscribe from the next unwatched filter; nil if there is none.
    var nextUnsubscribe: Duration? { unwatched.values.min().map { $0 + Self.unsubscribeDelay } }

    func connected() {
        (isConnected, reason) = (true, nil)
        unanswered = subscribed
        onOutcome?(nil)
        onOutcome = nil
    }

    func disconnected(_ error: MQTTError) {
        (isConnected, reason) = (false, "\(error)")
        echoes = [:]
        // The states are discarded, because the console does not notice which topics are cleared while it is
        // disconnected.
        memory = StateMemory()
        onOutcome?(error)
        onOutcome = nil
    }

    /// Records that the broker has answered the subscription of a filter.
    func answered(_ filter: String, at now: Duration) {
        unanswered.remove(filter)
        stateAt = now
    }

    func note(_ state: Delivery, at now: Duration) {
        memory.note(state)
        stateAt = now
    }

    /// Returns whether the broker has answered all subscriptions, and then sent no state for a period.
    func isQuiet(for period: Duration, at now: Duration) -> Bool {
        isConnected && unanswered.isEmpty && (stateAt.map { now - $0 >= period } ?? true)
    }

    /// Whether the connection can send a message to the broker immediately.
    var isWritable: Bool { isConnected && client.assumeIsolated { $0.isWritable } }

    /// Publishes a message.
    ///
    /// - Returns: Whether the client accepted it.
    @discardableResult
    func take(_ message: OutgoingMessage) -> Bool { client.assumeIsolated { $0.accept(message) } }

    /// Returns the number of a sender's commands that wait for the broker.
    func waitingCount(of share: String) -> Int { client.assumeIsolated { $0.waitingCount(of: share) } }

    func close() {
        onOutcome = nil
        let client = client
        Task { await client.close(within: .seconds(1)) }
    }

    /// Sends the remaining messages, and closes the connection.
    func finish() async {
        await client.close(within: .seconds(1))
        await running?.value
    }
}
