import Messages

// How results of libmosquitto and answers of the broker change the outbox.
extension Outbox {
    /// Records that the library accepted a delivery with a packet identifier.
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

    /// Records that the library accepted the probe.
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
        // All topics with unconfirmed messages become suspects at the end of a connection. To limit their number, the
        // older topics are forgotten here.
        if openStreams.count > Self.openStreamLimit { openStreams = [topic: handovers] }
    }

    /// Records that the library rejected a delivery. The message is dropped; a state is suspended until its next value.
    mutating func refused(_ delivery: Delivery) {
        dropped.refused += 1
        guard case .state(let topic, let version) = delivery.origin, states[topic]?.version == version else {
            return
        }
        states[topic]?.standing = .refused
    }

    /// Records that the library wrote stream messages to the socket.
    mutating func streamsWritten(_ count: Int) {
        unwrittenStreams = max(0, unwrittenStreams - count)
    }

    /// Handles an acknowledgement of the broker; returns nil for an unknown identifier.
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

    /// Records that the client has sent a question: a packet whose answer proves that the broker has read everything
    /// before it.
    mutating func asked() {
        isAsking = true
        askedAt = handovers
    }

    /// Handles the answer to a question: the broker has read everything sent before it. Returns the topic that the
    /// broker accepts again, if that topic had been rejected.
    mutating func answered() -> String? {
        isAsking = false
        confirmed = max(confirmed, askedAt)
        guard let topic = alone?.topic, alone?.isStream == true else { return nil }
        alone = nil
        return suspicion.clear(topic) ? topic : nil
    }

    /// Makes withheld messages and the last states of topics due again.
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
