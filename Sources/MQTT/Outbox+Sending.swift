import Messages

// What leaves the outbox, and in which order.
extension Outbox {
    /// What may be done next.
    private enum Step {
        case state, letter, stream
        /// The broker has to confirm what is under way, before a suspect leaves alone.
        case ask
    }

    /// Whether `next` has something to give, or to clear away.
    var canGoOn: Bool { step.map { $0 != .ask } ?? false }

    /// Whether the broker has to be asked something whose answer stands behind all that was sent: a message of QoS 0 that is
    /// alone under way has no acknowledgement of its own.
    var needsQuestion: Bool { isConnected && !isAsking && (alone?.isStream ?? false || step == .ask) }

    /// Whether the probe that waits may leave, as far as the outbox goes.
    var mayProbe: Bool {
        guard isConnected, let topic = waitingProbe, alone == nil, !isAsking else { return false }
        return !isTriedAlone(topic) || isQuiet
    }

    /// On which topics it is not known of how many messages whether the broker has read them; of a stream the last counts.
    var openTopics: [String: Int] {
        let streams = openStreams.filter { $0.value > confirmed }.mapValues { _ in 1 }
        return inFlight.values.reduce(into: streams) { $0[$1.topic, default: 0] += 1 }
    }

    private var isQuiet: Bool { inFlight.isEmpty && unwrittenStreams == 0 && openTopics.isEmpty }

    /// Nil if neither waits. The first of both is looked at only where both do: that copies it.
    private var isLetterFirst: Bool? {
        if waitingStates.isEmpty { return waitingLetters.isEmpty ? nil : true }
        guard !waitingLetters.isEmpty, let state = waitingStates.first, let letter = waitingLetters.first
        else { return false }
        return letter.sequence < state.sequence
    }

    private var step: Step? {
        guard isConnected, alone == nil, !isAsking else { return nil }
        // Whatever else were handed over now would be ahead of the probe.
        if let waitingProbe {
            return isTriedAlone(waitingProbe) && !isQuiet && inFlight.isEmpty ? .ask : nil
        }
        let isLetterFirst = isLetterFirst
        if suspicion.hasSuspects {
            let first = isLetterFirst == true ? waitingLetters.first?.topic : waitingStates.first?.topic
            for topic in [first, waitingStreams.first?.topic] {
                guard let topic, isTriedAlone(topic) else { continue }
                guard isQuiet else { return inFlight.isEmpty ? .ask : nil }
                return topic == first ? (isLetterFirst == true ? .letter : .state) : .stream
            }
        }
        if let isLetterFirst, inFlight.count < window { return isLetterFirst ? .letter : .state }
        return unwrittenStreams < Self.unwrittenStreamLimit && !waitingStreams.isEmpty ? .stream : nil
    }

    /// Whether what is sent on a topic has to leave alone.
    private func isTriedAlone(_ topic: String) -> Bool {
        suspicion.isSuspect(topic) && !suspicion.isWithheld(topic)
    }

    /// Gives what is to be handed to the library next, or nil if nothing may or nothing waits.
    ///
    /// Each delivery must be followed by `handedOver` or `refused`.
    mutating func next() -> Delivery? {
        while let step {
            let delivery: Delivery? =
                switch step {
                case .state: nextState()
                case .letter: nextLetter()
                case .stream: nextStream()
                case .ask: nil
                }
            if delivery != nil || step == .ask { return delivery }
        }
        return nil
    }

    private mutating func nextState() -> Delivery? {
        guard let waiting = waitingStates.popFirst(), let state = states[waiting.topic], state.isWaiting
        else {
            return nil
        }
        states[waiting.topic]?.isWaiting = false
        // It comes again when its topic is resumed.
        guard !suspicion.isWithheld(waiting.topic), !suspicion.isRejected(waiting.topic) else { return nil }
        return Delivery(
            topic: waiting.topic, payload: state.payload.bytes, qos: 1, retain: true, correlationData: nil,
            origin: .state(topic: waiting.topic, version: state.version), enqueued: state.enqueued)
    }

    private mutating func nextLetter() -> Delivery? {
        guard let letter = waitingLetters.popFirst() else { return nil }
        if suspicion.isWithheld(letter.topic) {
            withheldLetters.append(letter)
            return nil
        }
        if suspicion.isRejected(letter.topic) {
            dropped.refused += 1
            return nil
        }
        return Delivery(
            topic: letter.topic, payload: letter.payload, qos: 1, retain: false,
            correlationData: letter.correlationData, responseTopic: letter.responseTopic,
            origin: .letter(
                sequence: letter.sequence, isReply: letter.isReply, isRepeat: letter.isRepeat),
            enqueued: letter.enqueued)
    }

    private mutating func nextStream() -> Delivery? {
        guard let stream = waitingStreams.popFirst() else { return nil }
        if suspicion.isWithheld(stream.topic) {
            dropped.streams += 1
            return nil
        }
        if suspicion.isRejected(stream.topic) {
            dropped.refused += 1
            return nil
        }
        return Delivery(
            topic: stream.topic, payload: stream.payload, qos: 0, retain: false, correlationData: nil,
            origin: .stream, enqueued: stream.enqueued)
    }
}
