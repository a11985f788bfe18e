import Bluetooth
import BridgeContract
import BridgeParts
import Claims
import DeviceKit
import JSON
import Messages

// Several hosts may hear the device: the one that hears it best connects, and a device that changes hosts does not go.
extension DeviceSession {
    /// How long a device that lost its link is not said to be away, while another bridge may take it up.
    static let handOverTime = Duration.seconds(2)

    // MARK: Who connects

    /// What keeps this bridge from connecting; nil where nothing does. Offers the connection to the others then.
    func holdBack(lacksBond: Bool) -> HoldBack? {
        let others = world.neighbors.online()
        let step = choice.decide(
            load(others, lacksBond: lacksBond), isAlone: others.isEmpty,
            chance: Rendezvous.share(of: ownership.bridge, for: address), at: now)
        switch step {
        case .wait(let moment, let deference):
            self.deference = deference.map { LinkReason($0) }
            return HoldBack(end: moment)
        case .connect(let offer):
            deference = nil
            if let offer { sendOffer(offer) }
            return nil
        case .full:
            deference = .noSlot
            let name = adapter ?? ""
            world.slots.await(on: name, world.enter.number) { [weak self] in
                guard let self, life == .open else { return }
                startTimer(.choice, at: now)
            }
            // What an adapter has shown counts for a while only.
            return HoldBack(end: now + AdapterSlots.refusalTime, fullAdapter: name)
        }
    }

    private func load(_ others: [String], lacksBond: Bool) -> HostChoice.Load {
        let number = world.enter.number
        let name = adapter ?? ""
        return HostChoice.Load(
            isConnecting: world.slots.isConnecting(on: name, besides: number),
            freeSlots: world.slots.free(on: name, for: number, at: now),
            lacksBond: lacksBond, preference: preference(others))
    }

    private func preference(_ others: [String]) -> HostChoice.Preference {
        let preferred = world.preferred()
        let isElsewhere = others.contains { preferred.contains($0) }
        guard preferred.contains(ownership.bridge) else { return isElsewhere ? .elsewhere : .none }
        return isElsewhere ? .none : .here
    }

    /// How the device uses an adapter; nil for not at all.
    private var use: AdapterSlots.Use? {
        if let linked = connector.linked { return (linked.adapter ?? adapter).map { .linked($0) } }
        return [.connecting, .pairing].contains(stage) ? adapter.map { .connecting($0) } : nil
    }

    /// Why this bridge does not offer to connect to the device; nil where it does, or has it.
    var noOffer: LinkReason? {
        guard use == nil else { return nil }
        if ownership.device.isHeldElsewhere(world.neighbors) { return .heldByBridge }
        return deference ?? connector.supervision.reasonCode
    }

    /// Tells the bridge how the device uses an adapter, and why not, where that is new.
    func noteOffering() {
        let isKept = motion != nil && life == .open && !connector.isUnwanted
        var isNew = world.slots.set(use, of: world.enter.number, isKept: isKept, at: now)
        let reason = noOffer
        isNew = isNew || reason != saidNoOffer
        saidNoOffer = reason
        if isNew { world.changed(.offering) }
        noteListening()
    }

    /// Tells the bridge whether commands to the device are for this bridge, where that is new: it speaks for the device, has
    /// its link or is about to have it. While it is not known who speaks, nothing changes.
    ///
    /// Of a device that can hurt a person each bridge hears all: when it gets the link, its motion gate must know which
    /// stops came before, and which presses they ended.
    func noteListening() {
        guard motion == nil else { return }
        let isWanted = use != nil || link != nil || ownership.isOurs || ownership.isNameShared
        guard isWanted != isListening, isWanted || ownership.isSilent else { return }
        isListening = isWanted
        world.changed(.listening)
    }

    private func sendOffer(_ score: Int) {
        let offer = Offer(
            bridge: ownership.bridge, address: address, score: score, epoch: ownership.device.highest)
        world.broker.publish(
            OutgoingMessage(
                topic: world.topics.own(Topics.offerName), payload: offer.message.bytes, policy: .stream))
        world.changed(.offered)
    }

    /// Another bridge is about to connect.
    func heard(_ offer: Offer) { choice.heard(offer, at: now) }

    // MARK: Whether it is away

    /// Publishes whether the device can be used.
    ///
    /// A device that goes from one host to another is not away: its bridge says so only after a while, and the other one
    /// says that it is there.
    ///
    /// - Parameter isFinal: Whether that while is over.
    func reportAvailability(isFinal: Bool) {
        if isReady {
            clock.cancel(.absence)
            return send(publisher.publish(.availability, "online"))
        }
        let mayBeElsewhere =
            life == .open && publisher.isSaid(.availability, "online")
            && !connector.supervision.isUserDisconnected
            && !world.neighbors.online().isEmpty
        guard mayBeElsewhere, !isFinal else {
            clock.cancel(.absence)
            return send(publisher.publish(.availability, "offline"))
        }
        if !clock.runs(.absence) { startTimer(.absence, at: now + Self.handOverTime) }
    }
}
