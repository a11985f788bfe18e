import Messages

// How the start and the end of a connection change the waiting messages.
extension Outbox {
    /// Starts a connection with a window of `window` unacknowledged QoS 1 messages; every state becomes due again.
    ///
    /// - Parameters:
    ///   - isElsewhere: Whether the last connection was to another broker.
    ///   - random: At least 0 and less than 1.
    mutating func connected(
        window allowed: Int, at time: Duration, isElsewhere: Bool = false, random: Double = 0
    ) {
        isConnected = true
        window = max(1, min(allowed, limits.inFlight))
        connectedAt = time
        unwrittenStreams = 0
        suspicion.connected(at: time, random: random)
        repeatEvents(isElsewhere: isElsewhere)
        let due = states.filter { $0.value.standing != .refused }.sorted { $0.value.order < $1.value.order }
        waitingStates.removeAll()
        dueStates.removeAll()
        (sinceDueState, connectSequence) = (0, nextSequence())
        for isLong in [false, true] {
            for (topic, state) in due where state.isLong == isLong {
                dueStates.append(topic)
                states[topic]?.standing = .due
                states[topic]?.enqueued = time
            }
        }
    }

    /// Ends the connection. Unacknowledged messages wait again, in order, ahead of other waiting messages; replies and
    /// stream messages are dropped.
    mutating func disconnected(_ cause: TopicSuspicion.Cause = .other, at time: Duration = .zero)
        -> DisconnectOutcome
    {
        var outcome = DisconnectOutcome(cause: cause)
        if cause == .blamesMessage, let alone {
            outcome.culprit = alone.topic
            dropped.refused += 1
            if let (key, culprit) = inFlight.first {
                if case .state(let topic, let version) = culprit.origin, states[topic]?.version == version {
                    states[topic]?.standing = .refused
                }
                inFlight[key] = nil
            }
            _ = suspicion.clear(alone.topic)
        }
        outcome.finding = suspicion.ended(
            cause, unconfirmed: openTopics, alone: alone.map { ($0.topic, $0.since) }, at: time)
        outcome.hasSuspects = suspicion.hasSuspects
        let unacknowledged = inFlight.values.compactMap { $0.queued?.repeated }
        waitAgain(unacknowledged + withheldMessages)
        dropped.replies += waitingMessages.removeReplies() + urgentMessages.removeReplies()
        dropped.streams += waitingStreams.count + unwrittenStreams
        waitingStreams.removeAll()
        waitingStates.removeAll()
        dueStates.removeAll()
        for (topic, state) in states where state.standing != .refused { states[topic]?.standing = .idle }
        withheldMessages = []
        (inFlight, openStreams, alone) = ([:], [:], nil)
        (isAsking, waitingProbe, confirmed) = (false, nil, handovers)
        unwrittenStreams = 0
        recentEvents?.disconnected(at: time)
        isConnected = false
        return outcome
    }

    /// Queues the recently acknowledged events again, in their order, if the new connection is to another broker.
    private mutating func repeatEvents(isElsewhere: Bool) {
        guard var again = recentEvents?.take(), isElsewhere, let newest = again.map(\.sequence).max() else {
            return
        }
        while let message = waitingMessages.first, message.sequence < newest {
            _ = waitingMessages.popFirst()
            again.append(message)
        }
        waitAgain(again)
    }

    /// Queues messages again, in order, in front of all waiting messages.
    private mutating func waitAgain(_ messages: [QueuedMessage]) {
        let messages = messages.sorted { $0.sequence < $1.sequence }
        urgentMessages.prepend(contentsOf: messages.filter(\.outgoing.isUrgent))
        waitingMessages.prepend(contentsOf: messages.filter { !$0.outgoing.isUrgent })
    }
}
