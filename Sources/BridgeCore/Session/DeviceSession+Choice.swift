import Bluetooth
import BridgeContract
import BridgeParts
import Claims
import DeviceKit
import JSON
import Messages

// Several hosts may have the device in range. The host with the strongest signal connects. While a device changes
// hosts, it is not reported as offline.
extension DeviceSession {
    /// How long a disconnected device is not reported as offline, because another bridge may connect to it.
    static let handOverTime = Duration.seconds(2)
    /// The same for a device that this bridge moves to another bridge. This bridge waits for that bridge before it
    /// reconnects.
    static let moveTime = Duration.seconds(5)

    // MARK: Choice of the host

    /// Returns why this bridge does not connect yet; nil if it may connect. Before this bridge connects, it publishes
    /// an ``Offer``, so that another bridge can connect instead.
    func holdBack(lacksBond: Bool) -> ConnectDeferral? {
        let others = context.neighbors.online()
        let step = choice.decide(
            load(others, lacksBond: lacksBond), isAlone: others.isEmpty,
            chance: Rendezvous.share(of: ownership.bridge, for: address), at: now)
        switch step {
        case .wait(let moment, let deference):
            self.deference = deference.map { LinkReason($0) }
            return ConnectDeferral(end: moment)
        case .connect(let offer):
            deference = nil
            if let offer { sendOffer(offer) }
            return nil
        case .full:
            deference = .noSlot
            let name = adapter ?? ""
            context.slots.await(on: name, context.enter.number) { [weak self] in
                guard let self, life == .open else { return }
                startTimer(.choice, at: now)
            }
            // The limit that an adapter showed expires after this time.
            return ConnectDeferral(end: now + AdapterSlots.refusalTime, fullAdapter: name)
        }
    }

    func load(_ others: [String], lacksBond: Bool) -> HostChoice.Load {
        let number = context.enter.number
        let name = adapter ?? ""
        // A device that only advertises needs no connection, so the adapter needs no slot.
        guard family.advertising == nil else {
            return HostChoice.Load(
                isConnecting: false, freeSlots: nil, lacksBond: false, preference: preference(others))
        }
        return HostChoice.Load(
            isConnecting: context.slots.isConnecting(on: name, besides: number),
            freeSlots: context.slots.free(on: name, for: number, at: now),
            lacksBond: lacksBond, preference: preference(others),
            isNew: isJoining && ownership.device.highest == 0)
    }

    private func preference(_ others: [String]) -> HostChoice.Preference {
        let preferred = context.preferred()
        let isElsewhere = others.contains { preferred.contains($0) }
        guard preferred.contains(ownership.bridge) else { return isElsewhere ? .elsewhere : .none }
        return isElsewhere ? .none : .here
    }

    private var use: AdapterSlots.Use? {
        guard family.advertising == nil else { return nil }
        if let linked = connector.linked { return (linked.adapter ?? adapter).map { .linked($0) } }
        return [.connecting, .pairing].contains(stage) ? adapter.map { .connecting($0) } : nil
    }

    /// Why this bridge does not offer to connect to the device; nil if the bridge offers to connect, or uses an adapter
    /// for the device already.
    var noOffer: LinkReason? {
        guard use == nil else { return nil }
        if ownership.device.isHeldElsewhere(context.neighbors) { return .heldByBridge }
        return deference ?? connector.supervision.reasonCode
    }

    /// Reports to the bridge that the use of an adapter or the reason not to connect (``noOffer``) changed, if it did.
    func noteOffering() {
        let isKept = motion != nil && life == .open && !connector.isUnwanted
        var isNew = context.slots.set(use, of: context.enter.number, isKept: isKept, at: now)
        let reason = noOffer
        isNew = isNew || reason != saidNoOffer
        saidNoOffer = reason
        if isNew { context.changed(.offering) }
        noteListening()
    }

    /// Updates whether this bridge receives the commands to the device, and reports changes to the bridge. This bridge
    /// receives them if it owns the device, is connected to it or is connecting to it. While the owner is unknown,
    /// nothing changes.
    ///
    /// For a device that can hurt you, each bridge receives all commands. When a bridge connects, its motion gate must
    /// know which stops arrived earlier, and which joystick presses these stops ended.
    func noteListening() {
        guard motion == nil else { return }
        let isWanted = use != nil || link != nil || ownership.isOurs || ownership.isNameShared
        guard isWanted != isListening, isWanted || ownership.isStandby else { return }
        isListening = isWanted
        context.changed(.listening)
    }

    /// How well this bridge receives a device that only advertises, for the comparison with other bridges; nil if
    /// unknown.
    var receptionScore: Int? { choice.score(load(context.neighbors.online(), lacksBond: false)) }

    func sendOffer(_ score: Int) {
        let offer = Offer(
            bridge: ownership.bridge, address: address, score: score, epoch: ownership.device.highest)
        context.broker.publish(
            OutgoingMessage(
                topic: context.topics.own(Topics.offerName), payload: offer.message.bytes, policy: .stream))
        context.changed(.offered)
    }

    func heard(_ offer: Offer) {
        choice.heard(offer, at: now)
        if family.advertising != nil { considerLeaving(to: offer) } else { considerMoving(to: offer) }
    }

    // MARK: Availability

    /// Publishes whether the device is online.
    ///
    /// If the device may move to another host, `offline` is published only after a delay. The bridge of the other
    /// host publishes `online`.
    ///
    /// - Parameter isFinal: Whether this delay is over.
    func reportAvailability(isFinal: Bool) {
        if isReady {
            clock.cancel(.absence)
            return send(publisher.publish(.availability, "online"))
        }
        let mayBeElsewhere =
            life == .open && publisher.isSaid(.availability, "online")
            && !connector.supervision.isUserDisconnected
            && !context.neighbors.online().isEmpty
        guard mayBeElsewhere, !isFinal else {
            clock.cancel(.absence)
            return send(publisher.publish(.availability, "offline"))
        }
        let time = best.successor == nil ? Self.handOverTime : Self.moveTime
        if !clock.runs(.absence) { startTimer(.absence, at: now + time) }
    }
}
