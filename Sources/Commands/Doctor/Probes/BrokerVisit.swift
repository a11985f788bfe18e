import EventLoop
import MQTT
import Messages

/// A short connection to a broker for tests. It collects the broker's answers and messages.
actor BrokerVisit {
    /// An event of the connection, a message, or the end of a time limit.
    private enum News: Sendable {
        case event(Event)
        case message(IncomingMessage)
        case timeUp(Int)
    }

    nonisolated let client: Client
    /// The subscriptions that the broker refused.
    private(set) var unreadable: [BrokerFacts.Refusal] = []
    /// The publications that the broker refused.
    private(set) var unwritable: [BrokerFacts.Refusal] = []
    /// The maximum packet size in bytes, if the broker reported it.
    private(set) var packetLimit: Int?
    private(set) var retained: [String: [UInt8]] = [:]

    private let loop: EventLoop
    private let isIgnored: @Sendable (IncomingMessage) -> Bool
    private let news: AsyncStream<News>
    private let input: AsyncStream<News>.Continuation
    /// The number of messages that were not retained, by topic.
    private(set) var heard: [String: Int] = [:]
    private var lastWait = 0

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(
        _ configuration: MQTT.Configuration,
        ignoring isIgnored: @escaping @Sendable (IncomingMessage) -> Bool = { _ in false }, loop: EventLoop
    ) {
        self.loop = loop
        self.isIgnored = isIgnored
        client = Client.open(configuration: configuration, loop: loop, logger: .silent)
        // The buffer is larger than the number of retained messages of any bridge.
        (news, input) = AsyncStream.makeStream(of: News.self, bufferingPolicy: .bufferingNewest(10_000))
        client.onEvent { [weak self] event in self?.assumeIsolated { $0.take(event) } }
        client.onMessage { [weak self] message in self?.assumeIsolated { $0.take(message) } }
    }

    /// Waits until the broker has accepted or rejected the client.
    ///
    /// Continues with MQTT 3.1.1 if the broker closes the connection without a reason or does not answer: old brokers
    /// do that when a client uses MQTT 5.
    func connect(within limit: Duration) async -> BrokerFacts.Connection {
        var last = BrokerFacts.Connection.undecided
        var silences = 0
        await wait(limit) { news in
            switch news {
            case .event(.connected(let connection)):
                last = .accepted(version: connection.version.rawValue, address: connection.address)
                return true
            case .event(.disconnected(let error, _)):
                last = .failed(error)
                silences += error.code == .timedOut ? 1 : 0
                return error.code == .timedOut ? silences > 1 : error.code != .connectionLost
            default: return false
            }
        }
        return last
    }

    /// Waits for a message on a topic; ignores retained messages. Returns whether a message arrived.
    func hears(_ topic: String, within limit: Duration) async -> Bool {
        if heard[topic] != nil { return true }
        await wait(limit) { news in
            if case .message(let message) = news {
                message.topic == topic && !message.isRetained
            } else {
                false
            }
        }
        return heard[topic] != nil
    }

    /// Waits until a retained message on a topic has arrived; returns whether it did.
    func keeps(_ topic: String, within limit: Duration) async -> Bool {
        if retained[topic] != nil { return true }
        await wait(limit) { news in
            guard case .message(let message) = news else { return false }
            return message.topic == topic && message.isRetained
        }
        return retained[topic] != nil
    }

    /// Waits until a number of messages that are not retained have arrived, or until none arrives for the duration of
    /// `pause`.
    func hears(_ count: Int, on topic: String, pause: Duration) async {
        var before = -1
        while heard[topic, default: 0] < count, heard[topic, default: 0] > before {
            before = heard[topic, default: 0]
            await wait(pause) { _ in self.assumeIsolated { $0.heard[topic, default: 0] >= count } }
        }
    }

    /// Waits until a subscription is granted; then the broker has sent the retained messages of the filter.
    func settled(by filter: String, within limit: Duration) async {
        await wait(limit) { news in
            if case .event(.subscribed(filter, _)) = news { true } else { false }
        }
    }

    func end() async {
        _ = await client.close(within: .seconds(2))
        input.finish()
    }

    private func take(_ event: Event) {
        switch event {
        case .subscribeRefused(let filter, let reason):
            unreadable.append(.init(topic: filter, reason: reason.description))
        case .publishRefused(let topic, let reason):
            unwritable.append(.init(topic: topic, reason: reason.description, code: reason.code))
        case .connected(let connected): packetLimit = connected.packetLimit
        case .disconnected, .subscribed, .publishAccepted, .messageRefused, .replyUnconfirmed, .eventsDropped:
            break
        }
        input.yield(.event(event))
    }

    private func take(_ message: IncomingMessage) {
        guard !isIgnored(message) else { return }
        if message.isRetained {
            retained[message.topic] = message.payload
        } else {
            heard[message.topic, default: 0] += 1
        }
        input.yield(.message(message))
    }

    /// Processes news until one satisfies the condition, or until the time limit.
    private func wait(_ limit: Duration, until decides: (News) -> Bool) async {
        lastWait += 1
        let number = lastWait
        let timer = loop.schedule(after: limit) { [input] in _ = input.yield(.timeUp(number)) }
        defer { timer.cancel() }
        for await news in news {
            if case .timeUp(number) = news { return }
            if decides(news) { return }
        }
    }
}
