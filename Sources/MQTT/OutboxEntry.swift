import Messages

extension Outbox {
    /// The last value of a topic, kept for as long as the client lives.
    struct State {
        /// The place in the order in which topics were first published.
        let order: UInt64
        var payload: KeptPayload
        /// Counts the values, so that an acknowledgement of an old one is told from one of the newest.
        var version: UInt64 = 0
        var enqueued: Duration
        var isWaiting = false
        /// Whether it waits since it was said before the connect, and not since it is new.
        var isDue = false
        var isLong = false
        /// The broker ended the connection over this value: it waits for a new one.
        var isRejectedByBroker = false

        var isRemoval: Bool { payload.isEmpty }
    }

    /// A message that has to arrive once: an event or a reply.
    struct Letter {
        let sequence: UInt64
        let topic: String
        let payload: [UInt8]
        let isReply: Bool
        let correlationData: [UInt8]?
        let responseTopic: String?
        /// On whose behalf it is sent; nil for its topic's.
        let sender: String?
        let isUrgent: Bool
        var enqueued: Duration
        var isRepeat = false

        /// Of which letters no more are to wait than is fair.
        var share: String { sender ?? topic }

        /// The message as it was published.
        var message: OutgoingMessage {
            OutgoingMessage(
                topic: topic, payload: payload,
                policy: isReply ? .reply(correlation: correlationData) : .event,
                responseTopic: responseTopic, isUrgent: isUrgent, share: sender)
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
            case letter(Letter)
            case stream
        }

        let topic: String
        let payload: [UInt8]
        let qos: Int
        let retain: Bool
        let correlationData: [UInt8]?
        var responseTopic: String?
        let origin: Origin
        let enqueued: Duration
        /// Its place among all that was handed over.
        var handover: UInt64 = 0

        /// The letter that it delivers, to be delivered once more; nil if it delivers none.
        var letter: Letter? {
            guard case .letter(var letter) = origin else { return nil }
            letter.isRepeat = true
            return letter
        }
    }

    /// A suspect that is alone under way.
    struct Solitude {
        let topic: String
        let since: Duration
        /// Whether it is of QoS 0, so that no acknowledgement tells of its end.
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
        /// The topic whose message made the broker end the connection, if that is certain.
        var culprit: String?
        /// What it showed of the topics that were under way.
        var finding = TopicSuspicion.Finding.nothing
        /// Whether there were any.
        var hasSuspects = false
    }
}
