import Bluetooth
import BridgeContract
import BridgeParts
import Claims
import DeviceKit
import JSON
import Logging
import Messages

// The other bridges at the broker: which of them live, and what they are told.
extension Bridge {
    /// How long a bridge that comes waits for an answer: bridges come together when a broker comes back.
    private static let answerDelay = Duration.milliseconds(250)
    /// How long a marker may take before another one is sent.
    private static let markerTime = Duration.seconds(1)

    /// What is subscribed to know of other bridges. All come at QoS 0, as the echoes do: so the echo that is sent behind
    /// the subscriptions comes back behind all that the broker had in store.
    var peerFilters: [TopicFilter] {
        Topics.PeerState.allCases.map {
            TopicFilter(topics.peers($0), qos: 0, receivesOwn: true, tellsStored: true)
        }
    }

    /// What is subscribed to know which bridges have devices, and which are about to connect to some.
    var holderFilters: [TopicFilter] {
        [
            TopicFilter(topics.claims, qos: 0, receivesOwn: true, tellsStored: true),
            TopicFilter(topics.offers, qos: 0),
        ]
    }

    // MARK: What the broker has in store

    /// The connection to the broker is new: all of its store is asked for.
    func askForStore() {
        broker.peers.connected()
        holders.removeAll()
        broker.subscriptions.askForStore()
    }

    /// A subscription was granted: what is in store comes now.
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

    /// Sends an echo behind the subscriptions, if one is due.
    func sendMarker() {
        guard broker.status.isConnected, !isStopping, broker.subscriptions.wantMarker(at: world.time.now)
        else { return }
        spawn { $0.markStore() }
    }

    private func markStore() {
        guard broker.subscriptions.takeMarker(at: world.time.now), broker.status.isConnected, !isStopping
        else { return }
        sendEcho()
        startTimer(.marker, at: world.time.now + Self.markerTime)
    }

    /// An echo came back: what it proves of the broker's store.
    func storeProved(by echo: String) {
        let complete = broker.subscriptions.returned(echo)
        if complete.contains(.peers) { peersSettled() }
        if complete.contains(.roster) { rosterSettled() }
        settleOwnerships(complete)
        clearStaleTopicsIfKnown()
        sendMarker()
    }

    private func peersSettled() {
        broker.peers.settled(at: world.time.now)
        startTimer(.patience, at: world.time.now + Peers.patience)
    }

    private func settleOwnerships(_ complete: Set<Subscriptions.Key>) {
        guard complete.contains(.holders) || complete.contains(.peers), broker.subscriptions.isComplete
        else { return }
        let speaking = fleet.all.filter { $0.settleOwnership() }
        for session in speaking { session.speak() }
    }

    /// The access list hides the claims on devices: this bridge knows of no other one that has them, and makes none.
    func holdersRefused() {
        holders.isRefused = true
        broker.subscriptions.giveUp(.holders)
        settleOwnerships([.holders])
        clearStaleTopicsIfKnown()
    }

    /// The broker refuses what bridges say of themselves: nothing of it will arrive.
    func peersRefused() {
        broker.subscriptions.giveUp(.peers)
        peersSettled()
        settleOwnerships([.peers])
        clearStaleTopicsIfKnown()
    }

    // MARK: Who has a device

    /// A bridge says how it stands to a device.
    func heard(claimOn address: Address, _ message: IncomingMessage) {
        guard let message = ClaimMessage(message.payload, isStored: message.isRetained) else {
            if message.payload.isEmpty { nameLeft(holders.remove(address), by: address) }
            return restoreClaim(message)
        }
        nameLeft(holders.heard(message, on: address, at: world.time.now), by: address)
        fleet[address]?.heard(message, arrival: world.time.now)
        heardName(of: message.claim, on: address)
    }

    /// A bridge is about to connect to a device.
    func heard(offerOf bridge: String, _ message: IncomingMessage) {
        guard bridge != topics.bridge, let offer = Offer(message.payload, bridge: bridge) else { return }
        fleet[offer.address]?.heard(offer)
    }

    // MARK: Other bridges

    /// A bridge says something of itself.
    func heard(_ state: Topics.PeerState, of bridge: String, _ message: IncomingMessage) {
        switch state {
        case .info:
            // It tells mostly how many devices are online, and of that nothing follows.
            guard broker.peers.heard(info: message.payload, of: bridge, isStored: message.isRetained)
            else { return }
        case .availability:
            let hasCome = broker.peers.heard(
                availability: message.payload, of: bridge, isStored: message.isRetained,
                at: world.time.now)
            if hasCome { answerSoon() }
            if bridge == topics.bridge { heardOwnAvailability(message) }
            if broker.peers.goneSince(bridge) != nil { expectOrphans() }
        }
        guard bridge != topics.bridge else { return }
        reconsiderOwnerships(of: bridge)
    }

    /// Lets devices be judged anew that a bridge claims, or any bridge.
    func reconsiderOwnerships(of bridge: String? = nil) {
        for session in fleet.all {
            if session.ownership.regards(bridge) { session.reconsiderOwnership() }
        }
    }

    /// Says again that this bridge is there, once for all bridges that come together.
    private func answerSoon() {
        guard !clockwork.runs(.answer) else { return }
        startTimer(.answer, at: world.time.now + Self.answerDelay)
    }

    /// Says that this bridge is there, so that what the broker has in store of it counts.
    ///
    /// It does so by its `info`: its `availability` would be answered in turn. What a device is doing counts only if it is
    /// said anew, since nobody could tell how long ago it was said.
    func answerPeers() {
        guard !isStopping else { return }
        reportInfo(again: true)
        for session in fleet.all where session.holdsLink && !session.intent.isEmpty {
            session.sendClaim(isRepeated: true)
        }
    }

    /// What sessions know of other bridges.
    var neighbors: Neighbors {
        Neighbors(
            life: { self.broker.peers.life(of: $0, at: self.world.time.now) },
            online: { self.broker.peers.claiming })
    }

    /// What a new state machine of a device is told.
    func keepsakes(of address: Address, _ family: any DeviceFamily) -> (memory: JSON.Object, latch: Latch) {
        let memory = kept[address]?.memory ?? [:]
        return (memory, takeLatch(of: address, family, isLetIn: false))
    }

    /// Whether another bridge's link goes over the adapter of this host that has the name.
    func sharesAdapter(_ claim: Claim, _ name: String) -> Bool {
        guard let adapter = claim.adapter, let theirs = broker.peers.adapter(adapter, of: claim.bridge) else {
            return false
        }
        return radio.description.adapters.contains { $0.name == name && $0.address == theirs }
    }
}
