import Bluetooth
import Claims

/// A host: its adapter, its bridge, and the bridge's connection to the broker.
final class Host {
    let index: Int
    let id: String
    /// Whether it has power. Without power its links are lost.
    var isPowered = true
    /// Whether the bridge runs, and how often it was started.
    var isRunning = true
    var generation = 0
    /// The actions delayed while the bridge is frozen; nil while it is not.
    var backlog: [() -> Void]?
    /// Whether the network is disconnected.
    var isCut = false

    /// The devices that the bridge knows.
    var parties: [Int: Party] = [:]
    var attempt: Attempt?
    /// The devices that the adapter connects to next.
    var queue: [Party] = []
    /// The links in the host's view.
    var links: [Link] = []

    /// The session on the broker; nil while disconnected.
    var session: Int?
    /// When the last message reaches the broker. Messages keep their order.
    var upstreamEnd = 0
    var hasSettled = false
    /// When retained messages of bridges without another message become invalid.
    var patienceEnd: Int?
    /// Whether new bridges are about to be informed that this bridge is online.
    var willAnswer = false
    /// The known state of other bridges, by index.
    var peers: [Peer] = []

    /// The virtual time.
    weak var clock: Timeline?
    /// The online bridges, cached for ``neighbors``; nil if they have changed.
    private var online: [String]?

    /// The state of other bridges, in the form that the state machines use.
    private(set) lazy var neighbors = Neighbors(
        life: { [unowned self] in life(of: $0) }, online: { [unowned self] in onlineBridges() })

    struct Peer {
        var isOnline: Bool?
        var isHeardLive = false
    }

    init(index: Int) {
        self.index = index
        id = Self.id(index)
    }

    static func id(_ index: Int) -> String {
        let digits = String(index)
        return "host" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    static func index(of id: String) -> Int? { id.hasPrefix("host") ? Int(id.dropFirst(4)) : nil }

    /// Whether the bridge executes actions.
    var isActive: Bool { isPowered && isRunning && backlog == nil }

    /// Whether other bridges are online.
    var hasOthers: Bool { !onlineBridges().isEmpty }

    private func life(of claim: Claim) -> Neighbors.Life {
        let isOver = patienceEnd.map { (clock?.now ?? 0) >= $0 } ?? false
        guard let index = Self.index(of: claim.bridge), peers.indices.contains(index),
            let isOnline = peers[index].isOnline
        else { return isOver ? .dead : .presumed }
        guard isOnline else { return .dead }
        if !claim.isStored || peers[index].isHeardLive { return .alive }
        return isOver ? .dead : .presumed
    }

    private func onlineBridges() -> [String] {
        if let online { return online }
        let bridges = peers.indices.filter { $0 != index && peers[$0].isOnline == true }.map(Self.id)
        online = bridges
        return bridges
    }

    /// Records the `availability` of another bridge.
    func heard(availability isOnline: Bool, of other: Int, isStored: Bool) {
        peers[other] = Peer(
            isOnline: isOnline, isHeardLive: isOnline && (peers[other].isHeardLive || !isStored))
        online = nil
    }

    /// Records the `info` of another bridge: it is online, unless its `availability` is offline.
    func heard(infoOf other: Int) { if peers[other].isOnline != false { peers[other].isHeardLive = true } }

    /// Discards the state of the bridge.
    func restart() {
        generation += 1
        parties = [:]
        willAnswer = false
        attempt?.isOver = true
        attempt = nil
        queue = []
        links = []
        session = nil
        backlog = nil
        forgetBroker()
    }

    func forgetBroker() {
        hasSettled = false
        patienceEnd = nil
        peers = Array(repeating: Peer(), count: peers.count)
        online = nil
        upstreamEnd = 0
    }
}

/// The data that a bridge has about a device.
final class Party {
    let device: Peripheral
    var claim: DeviceClaim
    var choice = HostChoice()
    var best = BestHost()
    /// When this bridge last offered to take the device from the bridge with the link.
    var lastOffer = Int.min / 2
    /// The newest offers of other bridges since the link, and when they arrived.
    var offers: [String: (offer: Offer, at: Int)] = [:]
    var link: Link?
    /// The last claim published on this connection.
    var said: (epoch: Int, state: Claim.State)?
    /// The device's task in the newest claim of another bridge.
    var foreignIntent: Intent?
    /// The task that this bridge gave the device.
    var intent: Intent?
    /// The link over which power was switched on.
    var powerLink: Int?
    /// The last command received, obeyed or not.
    var lastCommand: Command?
    var isChallenging = false
    var isQueued = false
    var lastHeard = Int.min / 2
    /// The time before which the bridge does not connect.
    var notBefore = 0
    /// When the next decision is due.
    var decision: Int?
    var deadline: Duration?

    init(device: Peripheral, bridge: String) {
        self.device = device
        claim = DeviceClaim(bridge: bridge, address: device.address)
    }
}

/// The task of a belt.
struct Intent {
    /// When it was requested.
    var sent: Int
    /// The epoch of the link under which it is published.
    var epoch: Int
}

/// A user's command to a device.
struct Command {
    enum Kind { case power, drive, lead }

    var kind: Kind
    var sent: Int
}
