import Bluetooth
import BridgeContract
import BridgeParts
import Claims
import DeviceKit
import JSON
import Logging
import Messages

// The other bridges on the broker: which of them are online, and what this bridge publishes for them.
extension Bridge {
    /// How long this bridge waits after a new bridge comes online before it answers. One answer covers all bridges that
    /// come online within this time, for example when a broker comes back.
    private static let answerDelay = Duration.milliseconds(250)
    /// How long the bridge waits for the return of a marker before it sends another marker.
    private static let markerTime = Duration.seconds(1)

    /// The subscriptions to the states of other bridges. All of them use QoS 0, like the echoes. So an echo that is
    /// sent after the subscriptions returns after all retained messages of the broker.
    var peerFilters: [TopicFilter] {
        Topics.PeerState.allCases.map {
            TopicFilter(topics.peers($0), qos: 0, receivesOwn: true, tellsStored: true)
        }
    }

    /// The subscriptions to the claims on devices and to the offers to connect.
    var holderFilters: [TopicFilter] {
        [
            TopicFilter(topics.claims, qos: 0, receivesOwn: true, tellsStored: true),
            TopicFilter(topics.offers, qos: 0),
        ]
    }

    // MARK: Retained messages of the broker

    /// Prepares for the retained messages that a new broker connection delivers.
    func askForStore() {
        broker.peers.connected()
        holders.removeAll()
        broker.subscriptions.askForStore()
    }

    /// Records that the broker granted a subscription, so that its retained messages arrive next.
    func noteStore(of filter: String) {
        switch topics.destination(filter) {
        case .peer?:
            guard broker.subscriptions.missing(of: peerFilters.map(\.filter)).isEmpty else { return }
            broker.subscriptions.arrives(.peers)
        case .roster?: broker.subscriptions.arrives(.roster)
        default:
            guard filter == topics.claims else { return }
            holders.isRefused = false
            broker.subscriptions.arrives(.holders)
        }
        sendMarker()
    }

    /// Sends a marker, if one is due: an echo that is published after the subscriptions.
    func sendMarker() {
        guard broker.status.isConnected, !isStopping, broker.subscriptions.wantMarker(at: ports.time.now)
        else { return }
        spawn { $0.markStore() }
    }

    private func markStore() {
        guard broker.subscriptions.takeMarker(at: ports.time.now), broker.status.isConnected, !isStopping
        else { return }
        sendEcho()
        startTimer(.marker, at: ports.time.now + Self.markerTime)
    }

    /// Handles an echo that returned. Its return proves that the retained messages of earlier subscriptions have
    /// arrived.
    func storeProved(by echo: String) {
        let complete = broker.subscriptions.returned(echo)
        if complete.contains(.peers) { peersSettled() }
        if complete.contains(.roster) { rosterSettled() }
        settleOwnerships(complete)
        clearStaleTopicsIfKnown()
        sendMarker()
    }

    private func peersSettled() {
        broker.peers.settled(at: ports.time.now)
        startTimer(.patience, at: ports.time.now + Peers.patience)
        shareProxies()
    }

    private func settleOwnerships(_ complete: Set<Subscriptions.Key>) {
        guard complete.contains(.holders) || complete.contains(.peers), broker.subscriptions.isComplete
        else { return }
        let speaking = fleet.all.filter { $0.settleOwnership() }
        for session in speaking { session.republish() }
    }

    /// Handles that the access list hides the claims on devices. This bridge then cannot see which bridges have which
    /// devices, and publishes no claims.
    func holdersRefused() {
        holders.isRefused = true
        broker.subscriptions.remove(.holders)
        settleOwnerships([.holders])
        clearStaleTopicsIfKnown()
    }

    /// Handles that the broker refuses the states of other bridges: none of them will arrive.
    func peersRefused() {
        broker.subscriptions.remove(.peers)
        peersSettled()
        settleOwnerships([.peers])
        clearStaleTopicsIfKnown()
    }

    // MARK: Claims on devices

    /// Handles the claim of a bridge on a device.
    func heard(claimOn address: Address, _ message: IncomingMessage) {
        guard let message = ClaimMessage(message.payload, isStored: message.isRetained) else {
            if message.payload.isEmpty { nameLeft(holders.remove(address), by: address) }
            return restoreClaim(message)
        }
        nameLeft(holders.heard(message, on: address, at: ports.time.now), by: address)
        fleet[address]?.heard(message, arrival: ports.time.now)
        heardName(of: message.claim, on: address)
    }

    /// Handles the offer of a bridge that is about to connect to a device.
    func heard(offerOf bridge: String, _ message: IncomingMessage) {
        guard bridge != topics.bridge, let offer = Offer(message.payload, bridge: bridge) else { return }
        fleet[offer.address]?.heard(offer)
    }

    // MARK: Other bridges

    /// Handles a state that a bridge publishes about itself.
    func heard(_ state: Topics.PeerState, of bridge: String, _ message: IncomingMessage) {
        switch state {
        case .info:
            // Most changes of `info` concern the number of online devices, which has no consequences for this bridge.
            guard broker.peers.heard(info: message.payload, of: bridge, isStored: message.isRetained)
            else { return }
        case .availability:
            let hasCome = broker.peers.heard(
                availability: message.payload, of: bridge, isStored: message.isRetained,
                at: ports.time.now)
            if hasCome { answerSoon() }
            if bridge == topics.bridge { heardOwnAvailability(message) }
            if broker.peers.goneSince(bridge) != nil { expectOrphans() }
        }
        guard bridge != topics.bridge else { return }
        reconsiderOwnerships(of: bridge)
        shareProxies()
    }

    /// Reevaluates the ownership of all devices, or of those that a bridge claims.
    func reconsiderOwnerships(of bridge: String? = nil) {
        for session in fleet.all {
            if session.ownership.regards(bridge) { session.reconsiderOwnership() }
        }
    }

    /// Schedules one repetition of this bridge's status, which informs all bridges that come online together.
    private func answerSoon() {
        guard !timers.runs(.answer) else { return }
        startTimer(.answer, at: ports.time.now + Self.answerDelay)
    }

    /// Publishes that this bridge is online, which confirms its retained messages.
    ///
    /// The bridge repeats `info`, because the other bridges would answer a repeated `availability`. A claim contains
    /// the activity that another bridge would continue (``HandOver``). The claim is repeated too, since the age of the
    /// retained claim is unknown to the other bridges.
    func answerPeers() {
        guard !isStopping else { return }
        reportInfo(again: true)
        for session in fleet.all where session.holdsLink && !session.intent.isEmpty {
            session.sendClaim(isRepeated: true)
        }
    }

    /// The information about other bridges that sessions need.
    var neighbors: Neighbors {
        Neighbors(
            life: { self.broker.peers.life(of: $0, at: self.ports.time.now) },
            online: { self.broker.peers.claiming })
    }

    /// The state with which a new state machine of a device starts.
    func restoredState(of address: Address, _ family: any DeviceFamily) -> (memory: JSON.Object, latch: Latch)
    {
        let memory = kept[address]?.memory ?? [:]
        return (memory, takeLatch(of: address, family, isLetIn: false))
    }

    /// Whether another bridge's Bluetooth connection uses this host's adapter with the given name.
    func sharesAdapter(_ claim: Claim, _ name: String) -> Bool {
        // Two bridges cannot share a connection of a proxy: it has one client.
        guard !AdapterName.isProxy(name), let adapter = claim.adapter,
            let theirs = broker.peers.adapter(adapter, of: claim.bridge)
        else {
            return false
        }
        return radio.description.adapters.contains { $0.name == name && $0.address == theirs }
    }
}
