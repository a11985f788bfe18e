package import Bluetooth
package import DeviceKit

// What happens to the link, from its establishment to its end.
extension Connector {
    /// Decides what to do with the link of the current attempt.
    ///
    /// - Parameter isHazardous: Whether the device can move, so that it is made safe in any case.
    package func judge(_ profile: LinkProfile, isHazardous: Bool) -> Arrival {
        guard case .connecting(let attempt) = state, !isUnwanted else { return .unwanted }
        if let loss = attempt.loss { return .lost(reason: loss) }
        if profile.isOverProxy, isHazardous || !requirements.mayUseProxy { return .overProxy }
        let refusal = inputs.refusal(profile.services.union(attempt.services))
        if let refusal, !isHazardous { return .refuse(refusal) }
        return .use(refusal)
    }

    /// Records that a link to the device exists, before the bridge uses or closes it, and whether the host has a bond.
    package mutating func reached(_ profile: LinkProfile) {
        if profile.isPaired { inputs.bonded() }
        inputs.wasReached = true
    }

    /// Records that the link is used and the handshake starts.
    package mutating func use(_ profile: LinkProfile, over adapter: String, number: Int) {
        var services = profile.services
        if case .connecting(let attempt) = state { services.formUnion(attempt.services) }
        state = .linked(Linked(number: number, adapter: adapter, services: services))
        supervision.bond.wasOverProxy = profile.isOverProxy
        if profile.isPaired { supervision.bond.proxy = profile.isOverProxy ? adapter : nil }
        supervision.linked()
    }

    /// Records services that the host has discovered since the link was established.
    ///
    /// - Returns: Why the device must no longer be used; nil if it may.
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

    /// Records that the handshake is complete.
    ///
    /// - Returns: False if the link was already ready, or is about to end.
    package mutating func ready() -> Bool {
        guard let linked, !linked.isReady, !hasSaidGoodbye, linked.failure == nil else { return false }
        changeLink { $0.isReady = true }
        supervision.ready()
        loggedFailures = []
        return true
    }

    // MARK: Ending the link

    /// Starts to end the link: the state machine makes the device safe.
    ///
    /// - Parameter failure: The reason, if the device must not be used.
    /// - Returns: False if there is no link, or its end has already started.
    package mutating func part(_ failure: DeviceFailure? = nil) -> Bool {
        guard isKept else { return false }
        changeLink { link in
            link.ending = .parting
            if let failure { link.failure = failure }
        }
        return true
    }

    /// Hands the device over to another bridge when the link ends.
    package mutating func leave(to successor: Successor) { changeLink { $0.successor = successor } }

    /// Handles that the state machine has finished and requests the end of the link.
    ///
    /// - Parameter awaitsWrites: Whether writes are under way that must end before the link is closed.
    /// - Returns: Whether to close the link now. Otherwise the link is closed after the last writes.
    package mutating func machineDone(_ failure: DeviceFailure?, awaitsWrites: Bool = false) -> Bool {
        let isKept = isKept
        changeLink { link in
            if let failure { link.failure = failure }
            switch link.ending {
            case .none: link.ending = awaitsWrites ? .said : .closing
            case .parting: link.ending = .said
            case .said, .closing: break
            }
        }
        return isKept && !awaitsWrites
    }

    /// Starts to close the link, because the state machine has made the device safe, or its time for that is over.
    ///
    /// - Returns: Why the link is closed; nil if the link was not being ended, or is already being closed.
    package mutating func parted(otherwise reason: String) -> String? {
        guard let linked, [.parting, .said].contains(linked.ending) else { return nil }
        changeLink { $0.ending = .closing }
        if let failure = linked.failure { return failure.reason }
        if isUnwanted { return supervision.heldReason }
        return linked.successor.map { "held by the bridge \($0.bridge)" } ?? reason
    }

    /// Records that the link no longer exists.
    ///
    /// - Returns: The link if it was used; nil otherwise.
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

    /// Records that the link was lost, or closed as intended.
    package mutating func lost(reason: String, at now: Duration) {
        state = .away
        supervision.lost(reason: reason, at: now)
    }

    /// Records that the link to the device was handed over to another bridge.
    package mutating func yielded(to bridge: String, at now: Duration) {
        supervision.yielded(to: bridge, at: now)
    }

    /// Ends all connection attempts.
    package mutating func stop(reason: String) { supervision.stop(reason: reason) }

    /// Records that the bridge no longer uses the link, because the device's session is over.
    package mutating func finish() {
        changeLink { link in
            link.isReady = false
            link.adapter = nil
        }
    }
}

// Disconnecting and reconnecting by request.
extension Connector {
    /// Disconnects the device by request of a user.
    ///
    /// - Parameter done: Called when the link is closed.
    /// - Returns: The callbacks that waited for the device to be ready.
    package mutating func userDisconnect(then done: @escaping Done) -> [Done] {
        supervision.userDisconnect()
        disconnectWaiters.append(done)
        return takeConnectWaiters()
    }

    /// Keeps the device disconnected from the start, as requested in an earlier run of the bridge.
    package mutating func userDisconnect() { supervision.userDisconnect() }

    /// Records that the user allowed the device to join, so an earlier disconnect ends.
    package mutating func joinByRequest() { supervision.userReconnect() }

    /// Records that a connect request timed out.
    package mutating func requestTimedOut() { supervision.requestTimedOut() }

    /// Connects the device again by request of a user.
    ///
    /// - Returns: The callbacks that waited for the disconnect.
    package mutating func userReconnect() -> [Done] {
        supervision.userReconnect()
        return takeDisconnectWaiters()
    }

    package mutating func awaitReady(_ done: @escaping Done) { connectWaiters.append(done) }

    /// Whether the device was disconnected by request or by draining, and its link is closed.
    package var isGoneByRequest: Bool {
        linked == nil && isUnwanted && supervision.state == .disconnected
    }

    /// Removes and returns the callbacks that wait for the disconnect.
    package mutating func takeDisconnectWaiters() -> [Done] {
        defer { disconnectWaiters = [] }
        return disconnectWaiters
    }

    /// Removes and returns the callbacks that wait for the device to be ready.
    package mutating func takeConnectWaiters() -> [Done] {
        defer { connectWaiters = [] }
        return connectWaiters
    }
}
