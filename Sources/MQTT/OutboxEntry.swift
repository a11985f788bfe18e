import Messages

extension Outbox {
    /// What is to become of a state.
    enum Standing {
        /// Nothing: it was handed over, or there is no connection.
        case idle
        /// It waits to be sent, since it is new.
        case waiting
        /// It waits to be sent, since it was published before the connect.
        case due
        /// The broker refused this value: it waits for a new one.
        case refused
    }

    /// The last value of a topic, kept for as long as the client lives.
    struct State {
        /// The place in the order in which topics were first published.
        let order: UInt64
        var payload: KeptPayload
        /// Counts the values, to distinguish the acknowledgement of an old one.
        var version: UInt64 = 0
        var enqueued: Duration
        var standing = Standing.idle
        var isLong = false

        var isRemoval: Bool { payload.isEmpty }
    }

    /// A message of another kind: an event or a reply, which has to arrive once, or one of a stream.
    struct QueuedMessage {
        let sequence: UInt64
        let outgoing: OutgoingMessage
        let enqueued: Duration
        var isRepeat = false

        var topic: String { outgoing.topic }
        var isStream: Bool { if case .stream = outgoing.policy { true } else { false } }
        var isReply: Bool { if case .reply = outgoing.policy { true } else { false } }
        /// Whose messages are counted together when too many wait.
        var share: String { outgoing.share ?? topic }
        /// The same message, to be sent once more.
        var repeated: QueuedMessage {
            var message = self
            message.isRepeat = true
            return message
        }
    }

    /// A topic whose state waits to be sent.
    struct WaitingState {
        let sequence: UInt64
        let topic: String

        /// Whether it goes ahead of everything else.
        var isUrgent: Bool { sequence == 0 }
    }

    /// What the library is to send next.
    struct Delivery {
        enum Origin {
            case state(topic: String, version: UInt64)
            case message(QueuedMessage)
            case stream
        }

        let topic: String
        let payload: [UInt8]
        let origin: Origin
        let enqueued: Duration
        /// Its place among all that was handed over.
        var handover: UInt64 = 0

        var qos: CInt { if case .stream = origin { 0 } else { 1 } }
        var retain: Bool { if case .state = origin { true } else { false } }
        /// The event or reply that it delivers; nil if it delivers none.
        var queued: QueuedMessage? { if case .message(let message) = origin { message } else { nil } }
    }

    /// A suspect that is alone under way.
    struct Solitude {
        let topic: String
        let since: Duration
        /// Whether it is of QoS 0, so that it is not acknowledged.
        let isStream: Bool
    }

    struct Acknowledgement: Equatable {
        let topic: String
        let latency: Duration
        /// Whether nothing was sent on the topic before, because the broker had ended the connection over it.
        var wasRejected = false
        /// The event or reply that the broker refused.
        var refused: OutgoingMessage?
    }

    /// What the end of a connection cost.
    struct DisconnectOutcome: Equatable {
        var cause = TopicSuspicion.Cause.other
        /// The topic whose message made the broker end the connection, if that is certain.
        var culprit: String?
        /// The evidence against the topics that were under way.
        var finding = TopicSuspicion.Finding.nothing
        /// Whether there were any.
        var hasSuspects = false
    }
}
