import Messages

/// The messages that wait for the broker, in the order given by the policy of each kind of message. A value without
/// side effects; the client calls its methods.
///
/// States and messages (events and replies) are sent in the order in which they were published. Nothing is sent without
/// a connection. After a connect every state is due again, in the order in which the topics first appeared, long states
/// last. Messages that were not acknowledged on the previous connection follow, and then messages that were published
/// without a connection.
///
/// Messages published since the connect are sent ahead of states that are due again. The broker already has most of
/// these states. The answer to a command must not wait for the descriptions of a hundred devices. New messages never
/// overtake older messages; while older messages wait, new messages are sent only ahead of long states.
struct Outbox {
    let limits: Configuration.Limits
    /// The minimum size in bytes of a long state.
    static let longState = 1024
    /// A state that is due again after a connect is sent only while fewer than this number of messages are
    /// unacknowledged, because a new message cannot overtake messages in flight.
    static let dueWindow = 32
    /// The number of other messages after which a due state is sent, so that due states do not wait indefinitely.
    static let patience = 32
    /// The maximum number of stream messages that the library has not yet written. The library's own queue is
    /// unbounded.
    static let unwrittenStreamLimit = 64

    var states: [String: State] = [:]
    private var patterns = PayloadPatterns()
    var waitingStates = Queue<WaitingState>()
    /// The topics of states that are due again since the connect.
    var dueStates = Queue<String>()
    /// The number of other messages sent since the last due state.
    var sinceDueState = 0
    /// The sequence number that was assigned at the current connect. Messages with higher numbers were published since
    /// then.
    var connectSequence: UInt64 = 0
    var waitingMessages = MessageQueue()
    /// The urgent events and replies. They are sent ahead of all other messages, and are never dropped to make space
    /// for other messages.
    var urgentMessages = MessageQueue()
    var waitingStreams = Queue<QueuedMessage>()
    var inFlight: [CInt: Delivery] = [:]
    /// The recently acknowledged events, which are sent again if the next connection is to another broker; nil if only
    /// one broker is configured.
    var recentEvents: RecentEvents?
    var unwrittenStreams = 0

    var isConnected = false
    var window = 0
    var connectedAt = Duration.zero
    private var lastSequence: UInt64 = 0

    /// The topics whose messages may be the reason why the broker closes the connection.
    var suspicion = TopicSuspicion()
    var withheldMessages: [QueuedMessage] = []
    /// The message on a suspect topic that is in flight alone.
    var alone: Solitude?
    /// Whether a question is in flight: a packet whose answer proves that the broker has read everything before it.
    var isAsking = false
    var askedAt: UInt64 = 0
    /// The maximum number of QoS 0 topics for which the last message is remembered.
    static let openStreamLimit = 1_000
    /// The number of messages passed to the library.
    var handovers: UInt64 = 0
    /// The number of the last message that the broker is known to have read, counted like ``handovers``.
    var confirmed: UInt64 = 0
    /// The number of the last message passed to the library on each QoS 0 topic, counted like ``handovers``.
    var openStreams: [String: UInt64] = [:]
    /// The topic of a waiting probe.
    var waitingProbe: String?

    var dropped = BrokerStatistics.Dropped()
    var sent = 0
    var acknowledged = 0
    var repeated = 0
    private(set) var lastDroppedEvent = ""

    /// - Parameter hasOthers: Whether other brokers are configured.
    init(limits: Configuration.Limits = .init(), hasOthers: Bool = false) {
        self.limits = limits
        recentEvents = hasOthers ? RecentEvents() : nil
    }

    /// The number of messages that wait to be sent.
    var depth: Int {
        waitingStates.count + dueStates.count + waitingMessages.count + urgentMessages.count
            + waitingStreams.count + withheldMessages.count
    }

    var hasWaiting: Bool {
        !waitingMessages.isEmpty || !urgentMessages.isEmpty || !waitingStates.isEmpty || !dueStates.isEmpty
            || !waitingStreams.isEmpty
    }

    /// The topics of unconfirmed replies.
    var repliesUnderWay: Set<String> {
        Set(inFlight.values.lazy.filter { $0.queued?.isReply ?? false }.map(\.topic))
    }

    /// Whether a topic has a retained message of this client.
    func publishes(_ topic: String) -> Bool { states[topic].map { !$0.isRemoval } ?? false }

    /// Whether a topic has a retained message of this client with a different payload.
    func differs(_ topic: String, from payload: [UInt8]) -> Bool {
        publishes(topic) && states[topic]?.payload.bytes != payload
    }

    /// Whether the broker has all published messages, except on suspended topics. A QoS 0 message counts when it is in
    /// the socket.
    var isDrained: Bool { !hasWaiting && inFlight.isEmpty && unwrittenStreams == 0 }

    /// Adds a message.
    ///
    /// - Returns: Whether it was accepted.
    @discardableResult
    mutating func enqueue(_ message: OutgoingMessage, at time: Duration) -> Bool {
        switch message.policy {
        case .state:
            setState(message.topic, message.payload, at: time, urgent: message.isUrgent)
        case .event: return append(message, at: time)
        case .reply:
            guard isConnected else {
                dropped.replies += 1
                return false
            }
            return append(message, at: time)
        case .stream:
            guard isConnected else {
                dropped.streams += 1
                return false
            }
            if waitingStreams.count >= limits.streams, waitingStreams.popFirst() != nil {
                dropped.streams += 1
            }
            waitingStreams.append(QueuedMessage(sequence: 0, outgoing: message, enqueued: time))
        }
        return true
    }

    private mutating func setState(_ topic: String, _ payload: [UInt8], at time: Duration, urgent: Bool) {
        let sequence = nextSequence()
        let kept = patterns.keep(payload)
        var state = states[topic] ?? State(order: sequence, payload: kept, enqueued: time)
        state.payload = kept
        state.isLong = payload.count >= Self.longState
        state.version += 1
        state.enqueued = time
        if isConnected, urgent {
            waitingStates.prepend(contentsOf: [WaitingState(sequence: 0, topic: topic)])
        } else if isConnected, state.standing != .waiting {
            waitingStates.append(WaitingState(sequence: sequence, topic: topic))
        }
        state.standing = isConnected ? .waiting : .idle
        states[topic] = state
    }

    mutating func nextSequence() -> UInt64 {
        lastSequence += 1
        return lastSequence
    }

    /// Removes a topic's state without changing the retained message on the broker.
    mutating func release(_ topic: String) { states[topic] = nil }

    private mutating func append(_ outgoing: OutgoingMessage, at time: Duration) -> Bool {
        let message = QueuedMessage(sequence: nextSequence(), outgoing: outgoing, enqueued: time)
        if outgoing.isUrgent {
            guard urgentMessages.count < limits.urgent else {
                drop(message)
                return false
            }
        } else if waitingMessages.count >= limits.events, let lost = waitingMessages.popOfLargestShare() {
            drop(lost)
        }
        wait(message)
        return true
    }

    /// Adds a message to the end of the queue for its kind.
    mutating func wait(_ message: QueuedMessage) {
        if message.outgoing.isUrgent {
            urgentMessages.append(message)
        } else {
            waitingMessages.append(message)
        }
    }

    private mutating func drop(_ message: QueuedMessage) {
        guard !message.isReply else { return dropped.replies += 1 }
        dropped.events += 1
        lastDroppedEvent = message.topic
    }
}
