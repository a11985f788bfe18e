package import Bluetooth
package import DeviceKit

// The link, from its arrival to its end.
extension Connector {
    /// Decides what to do with the link that was tried.
    ///
    /// - Parameter isHazardous: Whether the device could move, so that it is made safe in any case.
    package func judge(_ profile: LinkProfile, isHazardous: Bool) -> Arrival {
        guard case .connecting(let attempt) = state, !isUnwanted else { return .unwanted }
        if let loss = attempt.loss { return .lost(reason: loss) }
        let refusal = inputs.refusal(profile.services.union(attempt.services))
        if let refusal, !isHazardous { return .refuse(refusal) }
        return .use(refusal)
    }

    /// The link was made and judged.
    package mutating func reached(_ profile: LinkProfile) {
        if profile.isPaired { inputs.bonded() }
        inputs.wasReached = true
    }

    /// The link is used: the handshake begins.
    package mutating func use(_ profile: LinkProfile, over adapter: String, number: Int) {
        var services = profile.services
        if case .connecting(let attempt) = state { services.formUnion(attempt.services) }
        state = .linked(Linked(number: number, adapter: adapter, services: services))
        supervision.linked()
    }

    /// The host knows other services of the device by now.
    ///
    /// - Returns: Why the device must not be used any more.
    package mutating func found(_ services: Set<UUID>) -> DeviceFailure? {
        switch state {
        case .away: return nil
        case .connecting(var attempt):
            attempt.services = services
            state = .connecting(attempt)
            return nil
        case .linked:
            changeLink { $0.services.formUnion(services) }
            return inputs.refusal(services)
        }
    }

    /// The handshake is done.
    ///
    /// - Returns: False where the link cannot be used: it was ready before, or is about to end.
    package mutating func ready() -> Bool {
        guard let linked, !linked.isReady, !hasSaidGoodbye, linked.failure == nil else { return false }
        changeLink { $0.isReady = true }
        supervision.ready()
        loggedFailures = []
        return true
    }

    // MARK: The end

    /// Begins to part with the device: the state machine makes it safe.
    ///
    /// - Parameter failure: Why, where it must not be used.
    /// - Returns: False if there is no link, or its end has begun.
    package mutating func part(_ failure: DeviceFailure? = nil) -> Bool {
        guard isKept else { return false }
        changeLink { link in
            link.ending = .parting
            if let failure { link.failure = failure }
        }
        return true
    }

    /// Leaves the device to another bridge when the link ends.
    package mutating func leave(to successor: Successor) { changeLink { $0.successor = successor } }

    /// The state machine asks for the end of the link.
    ///
    /// - Returns: Whether to close it now: else that is done when the last writes are out.
    package mutating func machineDone(_ failure: DeviceFailure?) -> Bool {
        let isKept = isKept
        changeLink { link in
            if let failure { link.failure = failure }
            switch link.ending {
            case .none: link.ending = .closing
            case .parting: link.ending = .said
            case .said, .closing: break
            }
        }
        return isKept
    }

    /// The state machine has said its last words, or its time is up: the link is to be closed.
    ///
    /// - Returns: Why, in words; nil if nothing was to be said, or the link is being closed.
    package mutating func parted(otherwise reason: String) -> String? {
        guard let linked, [.parting, .said].contains(linked.ending) else { return nil }
        changeLink { $0.ending = .closing }
        if let failure = linked.failure { return failure.reason }
        if isUnwanted { return supervision.heldReason }
        return linked.successor.map { "held by the bridge \($0.bridge)" } ?? reason
    }

    /// The link is there no more.
    ///
    /// - Returns: The link that was used; nil where it was not.
    package mutating func unlink(_ reason: String) -> Linked? {
        switch state {
        case .away: return nil
        case .connecting(var attempt):
            attempt.loss = reason
            state = .connecting(attempt)
            return nil
        case .linked(let linked):
            state = .away
            return linked
        }
    }

    /// The link was lost, or closed as it was wanted.
    package mutating func lost(reason: String, at now: Duration) {
        state = .away
        supervision.lost(reason: reason, at: now)
    }

    /// The link was left to another bridge.
    package mutating func yielded(to bridge: String, at now: Duration) {
        supervision.yielded(to: bridge, at: now)
    }

    /// Nothing more is tried.
    package mutating func stop(reason: String) { supervision.stop(reason: reason) }

    /// The session is over: the link is not used any more.
    package mutating func finish() {
        changeLink { link in
            link.isReady = false
            link.adapter = nil
        }
    }
}

// A person lets a device go for a while, and has it back.
extension Connector {
    /// - Parameter done: Told when the link is closed.
    /// - Returns: What waited for the device to come.
    package mutating func userDisconnect(then done: @escaping Done) -> [Done] {
        supervision.userDisconnect()
        disconnectWaiters.append(done)
        return takeConnectWaiters()
    }

    /// Leaves the device alone from the start, as a person wanted it before the bridge started.
    package mutating func userDisconnect() { supervision.userDisconnect() }

    /// The device was let in by a person's wish, who wants it now.
    package mutating func joinByRequest() { supervision.userReconnect() }

    /// Nothing came of a wish to connect in time.
    package mutating func requestTimedOut() { supervision.requestTimedOut() }

    /// - Returns: What waited for the device to go.
    package mutating func userReconnect() -> [Done] {
        supervision.userReconnect()
        return takeDisconnectWaiters()
    }

    package mutating func awaitReady(_ done: @escaping Done) { connectWaiters.append(done) }

    /// Whether a person or the bridge let the device go, and it is gone.
    package var isGoneByRequest: Bool {
        linked == nil && isUnwanted && supervision.state == .disconnected
    }

    /// Takes what waits for the device to go.
    package mutating func takeDisconnectWaiters() -> [Done] {
        defer { disconnectWaiters = [] }
        return disconnectWaiters
    }

    /// Takes what waits for the device to come.
    package mutating func takeConnectWaiters() -> [Done] {
        defer { connectWaiters = [] }
        return connectWaiters
    }
}
