import Messages

// What the library and the broker have taken.
extension Outbox {
    /// Notes that the library took a delivery under the packet identifier `identifier`.
    mutating func handedOver(_ delivery: Delivery, as identifier: CInt, at time: Duration) {
        sent += 1
        handovers += 1
        if suspicion.isSuspect(delivery.topic) {
            alone = Solitude(topic: delivery.topic, since: time, isStream: delivery.qos == 0)
        }
        switch delivery.origin {
        case .stream:
            unwrittenStreams += 1
            opened(delivery.topic)
            return
        case .message(let message): if message.isRepeat { repeated += 1 }
        case .state: break
        }
        var delivery = delivery
        delivery.handover = handovers
        inFlight[identifier] = delivery
    }

    /// Notes that the library took the probe.
    mutating func handedOverProbe(_ topic: String, at time: Duration) {
        waitingProbe = nil
        handovers += 1
        if suspicion.isSuspect(topic) { alone = Solitude(topic: topic, since: time, isStream: true) }
        opened(topic)
    }

    private mutating func opened(_ topic: String) {
        openStreams[topic] = handovers
        if openStreams.count > Self.openStreamLimit {
            openStreams = openStreams.filter { $0.value > confirmed }
        }
        // The review asks about no more than that: the rest is under no suspicion.
        if openStreams.count > Self.openStreamLimit { openStreams = [topic: handovers] }
    }

    /// Notes that the library would not take a delivery: it is given up, a state until its next value.
    mutating func refused(_ delivery: Delivery) {
        dropped.refused += 1
        guard case .state(let topic, let version) = delivery.origin, states[topic]?.version == version else {
            return
        }
        states[topic]?.standing = .refused
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
        confirmed = max(confirmed, delivery.handover)
        if recentEvents != nil, !isRefusal, let message = delivery.queued, !message.isReply {
            recentEvents?.note(message.repeated, at: time)
        }
        if case .state(let topic, let version) = delivery.origin, let state = states[topic],
            state.isRemoval, state.version == version, !isRefusal
        {
            states[topic] = nil
        }
        var answer = Acknowledgement(
            topic: delivery.topic, latency: time - max(delivery.enqueued, connectedAt))
        if isRefusal { answer.refused = delivery.queued?.outgoing }
        if alone?.topic == delivery.topic {
            alone = nil
            answer.wasRejected = suspicion.clear(delivery.topic)
        }
        return answer
    }

    /// Notes that the broker was asked something.
    mutating func asked() {
        isAsking = true
        askedAt = handovers
    }

    /// Notes that the broker answered, and so has read all that was sent before; gives the topic that it
    /// takes again if it had been rejected.
    mutating func answered() -> String? {
        isAsking = false
        confirmed = max(confirmed, askedAt)
        guard let topic = alone?.topic, alone?.isStream == true else { return nil }
        alone = nil
        return suspicion.clear(topic) ? topic : nil
    }

    /// Lets messages on topics leave again: those that were withheld, and the last values of states.
    mutating func resume(_ topics: [String]) {
        for topic in topics where states[topic]?.standing == .idle {
            states[topic]?.standing = .waiting
            waitingStates.append(WaitingState(sequence: nextSequence(), topic: topic))
        }
        let isFree = Set(topics)
        for message in withheldMessages where isFree.contains(message.topic) { wait(message) }
        withheldMessages.removeAll { isFree.contains($0.topic) }
    }
}
