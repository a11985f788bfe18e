import Messages

extension Outbox {
    /// Whether the last value of a retained topic was sent, waits or is suspended.
    enum Standing {
        /// Sent already, or there is no connection.
        case idle
        /// Waiting to be sent as a new value.
        case waiting
        /// Waiting to be sent again after a connect.
        case due
        /// Suspended until its next value, because the broker refused the current value.
        case refused
    }

    /// The last value of a topic, kept as long as the client exists.
    struct State {
        /// The position of the topic in the order of first publication.
        let order: UInt64
        var payload: KeptPayload
        /// The number of the value; an acknowledgement with a lower number belongs to an older value.
        var version: UInt64 = 0
        var enqueued: Duration
        var standing = Standing.idle
        var isLong = false

        var isRemoval: Bool { payload.isEmpty }
    }

    /// A message that is not a state: an event or a reply, which has to arrive once, or a stream message.
    struct QueuedMessage {
        let sequence: UInt64
        let outgoing: OutgoingMessage
        let enqueued: Duration
        var isRepeat = false

        var topic: String { outgoing.topic }
        var isStream: Bool { if case .stream = outgoing.policy { true } else { false } }
        var isReply: Bool { if case .reply = outgoing.policy { true } else { false } }
        /// The sender for whom this message is counted: if too many messages wait, the sender with the most messages
        /// loses its oldest message.
        var share: String { outgoing.share ?? topic }
        /// The same message, marked to be sent again on the next connection.
        var repeated: QueuedMessage {
            var message = self
            message.isRepeat = true
            return message
        }
    }

    /// A topic whose state is waiting to be sent.
    struct WaitingState {
        let sequence: UInt64
        let topic: String

        /// Whether the state is sent ahead of all other messages.
        var isUrgent: Bool { sequence == 0 }
    }

    /// The next message to pass to libmosquitto.
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
        /// The position of the message among all messages passed to the library, counted from 1.
        var handover: UInt64 = 0

        var qos: CInt { if case .stream = origin { 0 } else { 1 } }
        var retain: Bool { if case .state = origin { true } else { false } }
        /// The delivered event or reply; nil for other messages.
        var queued: QueuedMessage? { if case .message(let message) = origin { message } else { nil } }
    }

    /// A message on a suspect topic that was sent while no other message was unconfirmed: if the broker then closes the
    /// connection, this message is the cause (see ``TopicSuspicion``).
    struct Solitude {
        let topic: String
        let since: Duration
        /// Whether the message has QoS 0, so that it is not acknowledged.
        let isStream: Bool
    }

    struct Acknowledgement: Equatable {
        let topic: String
        let latency: Duration
        /// Whether the topic was rejected until now: nothing was published on it, because its messages had made the
        /// broker close the connection.
        var wasRejected = false
        /// The event or reply that the broker refused.
        var refused: OutgoingMessage?
    }

    /// What the end of a connection shows about the messages in flight: whether one of them made the broker close the
    /// connection.
    struct DisconnectOutcome: Equatable {
        var cause = TopicSuspicion.Cause.other
        /// The topic whose message is proven to have made the broker close the connection.
        var culprit: String?
        /// The result for the topics whose messages were in flight.
        var finding = TopicSuspicion.Finding.nothing
        /// Whether topics remain under suspicion, so that their messages are sent alone on the next connection.
        var hasSuspects = false
    }
}
