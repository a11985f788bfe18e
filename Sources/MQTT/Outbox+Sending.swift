import Messages

// Decides which message is sent next.
extension Outbox {
    /// What the outbox does next.
    private enum Step {
        case state, dueState, message, urgentMessage, stream
        /// Ask the broker to confirm all messages in flight, before a message on a suspect topic is sent alone.
        case ask
    }

    /// Whether ``next()`` has a message to return or to discard.
    var canGoOn: Bool { step.map { $0 != .ask } ?? false }

    /// Whether the client has to send a question: a packet whose answer proves that the broker has read everything
    /// before it. A QoS 0 message that is sent alone needs a question, because it has no acknowledgement.
    var needsQuestion: Bool { isConnected && !isAsking && (alone?.isStream ?? false || step == .ask) }

    /// Whether the waiting probe may be sent now.
    var mayProbe: Bool {
        guard isConnected, let topic = waitingProbe, alone == nil, !isAsking else { return false }
        return !isTriedAlone(topic) || isQuiet
    }

    /// The topics with unconfirmed messages, and the number of messages. All stream messages on one topic count as one.
    var openTopics: [String: Int] {
        let streams = openStreams.filter { $0.value > confirmed }.mapValues { _ in 1 }
        return inFlight.values.reduce(into: streams) { $0[$1.topic, default: 0] += 1 }
    }

    private var isQuiet: Bool { inFlight.isEmpty && unwrittenStreams == 0 && openTopics.isEmpty }

    /// The next action for states, events and replies; nil if none are waiting.
    private var nextToArrive: Step? {
        if !urgentMessages.isEmpty, !isStateUrgent { return .urgentMessage }
        if waitingStates.isEmpty, waitingMessages.isEmpty { return dueStates.isEmpty ? nil : .dueState }
        if let due = dueStates.first {
            if sinceDueState >= Self.patience { return .dueState }
            let isOld = waitingMessages.first.map { (1...connectSequence).contains($0.sequence) } ?? false
            if isOld, states[due]?.isLong == false { return .dueState }
        }
        if waitingStates.isEmpty { return .message }
        // The first elements are read only if both queues have elements, because reading copies an element.
        guard !waitingMessages.isEmpty, let state = waitingStates.first, let message = waitingMessages.first
        else { return .state }
        return message.sequence < state.sequence ? .message : .state
    }

    private var isStateUrgent: Bool { waitingStates.first?.isUrgent ?? false }

    /// Returns the number of unacknowledged messages below which an action is allowed. Part of the broker's window is
    /// reserved for urgent messages.
    private func window(for step: Step) -> Int {
        if step == .urgentMessage || step == .state && isStateUrgent { return window }
        let ordinary = window - window / 8
        let isPatient = step == .dueState && sinceDueState < Self.patience
        return isPatient ? min(ordinary, Self.dueWindow) : ordinary
    }

    private func topic(of step: Step?) -> String? {
        switch step {
        case .state: waitingStates.first?.topic
        case .dueState: dueStates.first
        case .message: waitingMessages.first?.topic
        case .urgentMessage: urgentMessages.first?.topic
        case .stream: waitingStreams.first?.topic
        case .ask, nil: nil
        }
    }

    private var step: Step? {
        guard hasWaiting || waitingProbe != nil, isConnected, alone == nil, !isAsking else { return nil }
        // A probe waits, so no stream message is sent, because it would delay the probe.
        if let waitingProbe {
            return isTriedAlone(waitingProbe) && !isQuiet && inFlight.isEmpty ? .ask : nil
        }
        let first = nextToArrive
        if suspicion.hasSuspects {
            for step in [first, .stream] {
                guard let topic = topic(of: step), isTriedAlone(topic) else { continue }
                guard isQuiet else { return inFlight.isEmpty ? .ask : nil }
                return step
            }
        }
        if let first, inFlight.count < window(for: first) { return first }
        return unwrittenStreams < Self.unwrittenStreamLimit && !waitingStreams.isEmpty ? .stream : nil
    }

    /// Whether a message on a topic may be sent only while no other message is unconfirmed.
    private func isTriedAlone(_ topic: String) -> Bool {
        suspicion.isSuspect(topic) && !suspicion.isWithheld(topic)
    }

    /// Returns the next message for the library; nil if none is waiting or allowed.
    ///
    /// Each delivery must be followed by `handedOver` or `refused`.
    mutating func next() -> Delivery? {
        while let step {
            let delivery: Delivery? =
                switch step {
                case .state: nextState(waitingStates.popFirst()?.topic)
                case .dueState: nextState(dueStates.popFirst())
                case .message: next(waitingMessages.popFirst())
                case .urgentMessage: next(urgentMessages.popFirst())
                case .stream: next(waitingStreams.popFirst())
                case .ask: nil
                }
            if delivery != nil { sinceDueState = step == .dueState ? 0 : sinceDueState + 1 }
            if delivery != nil || step == .ask { return delivery }
        }
        return nil
    }

    private mutating func nextState(_ topic: String?) -> Delivery? {
        guard let topic, let state = states[topic], state.standing == .waiting || state.standing == .due
        else { return nil }
        states[topic]?.standing = .idle
        // The state becomes due again when its topic is resumed.
        guard !suspicion.isWithheld(topic), !suspicion.isRejected(topic) else { return nil }
        return Delivery(
            topic: topic, payload: state.payload.bytes,
            origin: .state(topic: topic, version: state.version), enqueued: state.enqueued)
    }

    private mutating func next(_ message: QueuedMessage?) -> Delivery? {
        guard let message else { return nil }
        if suspicion.isWithheld(message.topic) {
            if message.isStream { dropped.streams += 1 } else { withheldMessages.append(message) }
            return nil
        }
        if suspicion.isRejected(message.topic) {
            dropped.refused += 1
            return nil
        }
        return Delivery(
            topic: message.topic, payload: message.outgoing.payload,
            origin: message.isStream ? .stream : .message(message), enqueued: message.enqueued)
    }
}
