import Messages

/// Everything that waits for the broker, with the policies of the topics' kinds; pure, and driven by the client.
///
/// States and messages (events and replies) go out in the order in which they were published. Nothing leaves the outbox
/// while there is no connection. After a connect every state is due again, in the order in which their topics were
/// first seen, long ones last; then the messages that were never acknowledged, and those that waited.
///
/// Messages published since the connect go ahead of states that are due again: the broker knows most of these already, and
/// the answer to a command must not wait until a hundred devices are described again. While older messages wait, which
/// nothing overtakes, they go ahead of long states only.
struct Outbox {
    let limits: Configuration.Limits
    /// From how many bytes on a state is long.
    static let longState = 1024
    /// How many messages may be unacknowledged for a state that is due again to be sent: what is under way already is
    /// overtaken by nothing.
    static let dueWindow = 32
    /// How many others may go ahead of a state that is due again, so that it is sent at all.
    static let patience = 32
    /// How many messages of streams the library may hold unwritten: its own queue has no bound.
    static let unwrittenStreamLimit = 64

    var states: [String: State] = [:]
    private var patterns = PayloadPatterns()
    var waitingStates = Queue<WaitingState>()
    /// The topics of states that are due again since the connect.
    var dueStates = Queue<String>()
    /// How many others were sent since the last of these.
    var sinceDueState = 0
    /// Messages up to this number were published before the connect.
    var connectSequence: UInt64 = 0
    var waitingMessages = MessageQueue()
    /// The messages that go ahead of everything else, and are dropped for nothing else.
    var urgentMessages = MessageQueue()
    var waitingStreams = Queue<QueuedMessage>()
    var inFlight: [CInt: Delivery] = [:]
    /// The events that another broker receives again; nil if there is none.
    var recentEvents: RecentEvents?
    var unwrittenStreams = 0

    var isConnected = false
    var window = 0
    var connectedAt = Duration.zero
    private var lastSequence: UInt64 = 0

    /// On which topics the broker may end the connection, or does.
    var suspicion = TopicSuspicion()
    /// The messages on topics that are withheld.
    var withheldMessages: [QueuedMessage] = []
    /// The suspect that is alone under way.
    var alone: Solitude?
    /// Whether a question is under way whose answer stands behind all that was sent before it.
    var isAsking = false
    var askedAt: UInt64 = 0
    /// How many topics of QoS 0 are remembered.
    static let openStreamLimit = 1_000
    /// Counts what is handed to the library.
    var handovers: UInt64 = 0
    /// Up to which of them the broker is known to have read on.
    var confirmed: UInt64 = 0
    /// The topics of QoS 0 on which something was handed over, and when last.
    var openStreams: [String: UInt64] = [:]
    /// The topic of a probe that waits to be handed over.
    var waitingProbe: String?

    var dropped = BrokerStatistics.Dropped()
    var sent = 0
    var acknowledged = 0
    var repeated = 0
    private(set) var lastDroppedEvent = ""

    /// - Parameter hasOthers: Whether there are other brokers to go to.
    init(limits: Configuration.Limits = .init(), hasOthers: Bool = false) {
        self.limits = limits
        recentEvents = hasOthers ? RecentEvents() : nil
    }

    /// How many messages wait to be sent.
    var depth: Int {
        waitingStates.count + dueStates.count + waitingMessages.count + urgentMessages.count
            + waitingStreams.count + withheldMessages.count
    }

    /// Whether a message waits that may be sent.
    var hasWaiting: Bool {
        !waitingMessages.isEmpty || !urgentMessages.isEmpty || !waitingStates.isEmpty || !dueStates.isEmpty
            || !waitingStreams.isEmpty
    }

    /// The topics of the replies that the broker has not confirmed.
    var repliesUnderWay: Set<String> {
        Set(inFlight.values.lazy.filter { $0.queued?.isReply ?? false }.map(\.topic))
    }

    /// Whether a topic has a retained message of ours.
    func publishes(_ topic: String) -> Bool { states[topic].map { !$0.isRemoval } ?? false }

    /// Whether a topic has a retained message of ours that differs from this one.
    func differs(_ topic: String, from payload: [UInt8]) -> Bool {
        publishes(topic) && states[topic]?.payload.bytes != payload
    }

    /// Whether everything that was published has arrived, as far as that can be known and may be sent.
    var isDrained: Bool { !hasWaiting && inFlight.isEmpty && unwrittenStreams == 0 }

    /// Takes a message in.
    ///
    /// - Returns: Whether it was taken.
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

    /// Forgets a topic's state without touching what the broker has of it.
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

    /// Lets a message wait behind those of its kind.
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
