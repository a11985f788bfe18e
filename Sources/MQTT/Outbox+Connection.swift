// What the beginning and the end of a connection do to what waits.
extension Outbox {
    /// Begins a connection on which `window` QoS 1 messages may be unacknowledged: every state is due again.
    mutating func connected(window allowed: Int, at time: Duration) {
        isConnected = true
        fullWindow = max(1, min(allowed, limits.inFlight))
        window = suspects > 0 ? 1 : fullWindow
        connectedAt = time
        unwrittenStreams = 0
        let due = states.filter { !$0.value.isOutlawed }.sorted { $0.value.order < $1.value.order }
        waitingStates.removeAll()
        for (topic, _) in due {
            waitingStates.append(WaitingState(sequence: 0, topic: topic))
            states[topic]?.isWaiting = true
            states[topic]?.enqueued = time
        }
    }

    /// Ends the connection: letters that were not acknowledged wait again, in order, ahead of the others;
    /// replies and streams are gone.
    ///
    /// If the broker blamed a message, the next connection sends one at a time until the culprit is known.
    mutating func disconnected(blamesMessage: Bool = false) -> Aftermath {
        var aftermath = Aftermath()
        if blamesMessage, suspects > 0, inFlight.count == 1, let (key, culprit) = inFlight.first {
            aftermath.culprit = culprit.topic
            dropped.refused += 1
            if case .state(let topic, let version) = culprit.origin, states[topic]?.version == version {
                states[topic]?.isOutlawed = true
            }
            inFlight[key] = nil
        }
        let unacknowledged = inFlight.values.compactMap { delivery -> Letter? in
            guard case .letter(let sequence, let isReply, _) = delivery.origin else { return nil }
            return Letter(
                sequence: sequence, topic: delivery.topic, payload: delivery.payload, isReply: isReply,
                correlationData: delivery.correlationData, enqueued: delivery.enqueued, isRepeat: true)
        }
        waitingLetters.prepend(contentsOf: unacknowledged.sorted { $0.sequence < $1.sequence })
        dropped.replies += waitingLetters.keep { !$0.isReply }
        dropped.streams += waitingStreams.count + unwrittenStreams
        waitingStreams.removeAll()
        waitingStates.removeAll()
        for topic in states.keys { states[topic]?.isWaiting = false }
        if blamesMessage { suspects = states.count { !$0.value.isOutlawed } + unacknowledged.count }
        inFlight = [:]
        unwrittenStreams = 0
        isConnected = false
        return aftermath
    }
}
