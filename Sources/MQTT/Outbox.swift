/// Everything that waits for the broker, with the policies of the topics' kinds; pure, and driven by the client.
///
/// States and letters (events and replies) go out in the order in which they were published. After a connect the
/// states come first, in the order in which their topics were first seen, then the letters that were never
/// acknowledged, then those that waited. Nothing leaves the outbox while there is no connection.
struct Outbox {
    let limits: Configuration.Limits
    /// How many messages of streams the library may hold unwritten: its own queue has no bound.
    static let unwrittenStreamLimit = 64

    var states: [String: State] = [:]
    var waitingStates = Queue<WaitingState>()
    var waitingLetters = Queue<Letter>()
    var waitingStreams = Queue<(topic: String, payload: [UInt8], enqueued: Duration)>()
    var inFlight: [CInt: Delivery] = [:]
    var unwrittenStreams = 0

    var isConnected = false
    var window = 0
    var fullWindow = 0
    var connectedAt = Duration.zero
    private var lastSequence: UInt64 = 0
    /// How many acknowledgements are missing until every message that could have ended the last connection is
    /// cleared; while there are any, one message at a time is sent, so that the next end names its culprit.
    var suspects = 0

    var dropped = Statistics.Losses()
    private(set) var sent = 0
    private(set) var acknowledged = 0
    private(set) var repeated = 0
    private(set) var lastDroppedEvent = ""

    init(limits: Configuration.Limits = .init()) {
        self.limits = limits
    }

    /// How many messages wait to be sent.
    var depth: Int { waitingStates.count + waitingLetters.count + waitingStreams.count }

    /// Whether everything that was published has arrived, as far as that can be known.
    var isDrained: Bool { depth == 0 && inFlight.isEmpty && unwrittenStreams == 0 }

    /// Whether `next` has something to give.
    var canGoOn: Bool {
        guard isConnected else { return false }
        return inFlight.count < window && !(waitingStates.isEmpty && waitingLetters.isEmpty)
            || unwrittenStreams < Self.unwrittenStreamLimit && !waitingStreams.isEmpty
    }

    /// Takes a message in; `urgent` puts it ahead of everything that waits.
    mutating func enqueue(_ message: Message, at time: Duration, urgent: Bool = false) {
        switch message.policy {
        case .state:
            setState(message.topic, message.payload, at: time, urgent: urgent)
        case .event:
            append(message, isReply: false, correlationData: nil, at: time, urgent: urgent)
        case .reply(let correlationData):
            guard isConnected else { return dropped.replies += 1 }
            append(message, isReply: true, correlationData: correlationData, at: time, urgent: urgent)
        case .stream:
            guard isConnected else { return dropped.streams += 1 }
            if waitingStreams.count >= limits.streams, waitingStreams.popFirst() != nil {
                dropped.streams += 1
            }
            waitingStreams.append((message.topic, message.payload, time))
        }
    }

    private mutating func setState(_ topic: String, _ payload: [UInt8], at time: Duration, urgent: Bool) {
        lastSequence += 1
        var state = states[topic] ?? State(order: lastSequence, payload: payload, enqueued: time)
        state.payload = payload
        state.version += 1
        state.enqueued = time
        state.isOutlawed = false
        if isConnected, urgent {
            waitingStates.prepend(contentsOf: [WaitingState(sequence: 0, topic: topic)])
            state.isWaiting = true
        } else if isConnected, !state.isWaiting {
            waitingStates.append(WaitingState(sequence: lastSequence, topic: topic))
            state.isWaiting = true
        }
        states[topic] = state
    }

    /// Forgets a topic's state without touching what the broker has of it.
    mutating func release(_ topic: String) { states[topic] = nil }

    private mutating func append(
        _ message: Message, isReply: Bool, correlationData: [UInt8]?, at time: Duration, urgent: Bool
    ) {
        if waitingLetters.count >= limits.events, let lost = waitingLetters.popFirst() {
            if lost.isReply {
                dropped.replies += 1
            } else {
                dropped.events += 1
                lastDroppedEvent = lost.topic
            }
        }
        lastSequence += 1
        let letter = Letter(
            sequence: urgent ? 0 : lastSequence, topic: message.topic, payload: message.payload,
            isReply: isReply,
            correlationData: correlationData, enqueued: time)
        if urgent { waitingLetters.prepend(contentsOf: [letter]) } else { waitingLetters.append(letter) }
    }

    /// Gives what is to be handed to the library next, or nil if nothing may or nothing waits.
    ///
    /// Each delivery must be followed by `handedOver` or `refused`.
    mutating func next() -> Delivery? {
        guard isConnected else { return nil }
        if inFlight.count < window, let delivery = nextAcknowledged() { return delivery }
        guard unwrittenStreams < Self.unwrittenStreamLimit, let stream = waitingStreams.popFirst() else {
            return nil
        }
        return Delivery(
            topic: stream.topic, payload: stream.payload, qos: 0, retain: false, correlationData: nil,
            origin: .stream, enqueued: stream.enqueued)
    }

    private mutating func nextAcknowledged() -> Delivery? {
        let letterFirst =
            switch (waitingStates.first, waitingLetters.first) {
            case (let state?, let letter?): letter.sequence < state.sequence
            case (nil, _): true
            case (_, nil): false
            }
        if letterFirst { return waitingLetters.popFirst().map(delivery(of:)) }
        while let waiting = waitingStates.popFirst() {
            guard let state = states[waiting.topic], state.isWaiting else { continue }
            states[waiting.topic]?.isWaiting = false
            return Delivery(
                topic: waiting.topic, payload: state.payload, qos: 1, retain: true, correlationData: nil,
                origin: .state(topic: waiting.topic, version: state.version), enqueued: state.enqueued)
        }
        return waitingLetters.popFirst().map(delivery(of:))
    }

    private func delivery(of letter: Letter) -> Delivery {
        Delivery(
            topic: letter.topic, payload: letter.payload, qos: 1, retain: false,
            correlationData: letter.correlationData,
            origin: .letter(
                sequence: letter.sequence, isReply: letter.isReply, isRepeat: letter.isRepeat),
            enqueued: letter.enqueued)
    }

    /// Notes that the library took a delivery under the packet identifier `identifier`.
    mutating func handedOver(_ delivery: Delivery, as identifier: CInt) {
        sent += 1
        switch delivery.origin {
        case .stream:
            unwrittenStreams += 1
        case .letter(_, _, let isRepeat):
            if isRepeat { repeated += 1 }
            inFlight[identifier] = delivery
        case .state:
            inFlight[identifier] = delivery
        }
    }

    /// Notes that the library would not take a delivery: it is given up, a state until its next value.
    mutating func refused(_ delivery: Delivery) {
        dropped.refused += 1
        guard case .state(let topic, let version) = delivery.origin, states[topic]?.version == version else {
            return
        }
        states[topic]?.isOutlawed = true
    }

    /// Notes that `count` messages of streams left the library for the socket.
    mutating func streamsWritten(_ count: Int) {
        unwrittenStreams = max(0, unwrittenStreams - count)
    }

    /// Notes the broker's acknowledgement; nil if the identifier is none of ours.
    mutating func acknowledged(_ identifier: CInt, isRefusal: Bool = false, at time: Duration)
        -> Acknowledgement?
    {
        guard let delivery = inFlight.removeValue(forKey: identifier) else { return nil }
        if isRefusal { dropped.refused += 1 } else { acknowledged += 1 }
        if case .state(let topic, let version) = delivery.origin, let state = states[topic],
            state.isRemoval, state.version == version, !isRefusal
        {
            states[topic] = nil
        }
        if suspects > 0 {
            suspects -= 1
            if suspects == 0 { window = fullWindow }
        }
        return Acknowledgement(topic: delivery.topic, latency: time - max(delivery.enqueued, connectedAt))
    }
}
