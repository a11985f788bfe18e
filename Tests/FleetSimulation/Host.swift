import Bluetooth
import Claims

/// A host: its adapter, its bridge, and the bridge's connection to the broker.
final class Host {
    let index: Int
    let id: String
    /// Whether it has power, so that its links live.
    var isPowered = true
    /// Whether the bridge runs, and how often it was started.
    var isRunning = true
    var generation = 0
    /// What happens to the bridge while it is frozen; nil while it is not.
    var backlog: [() -> Void]?
    /// Whether the network is gone.
    var isCut = false

    /// The devices that the bridge knows.
    var parties: [Int: Party] = [:]
    var attempt: Attempt?
    /// Devices that the adapter connects to next.
    var queue: [Party] = []
    /// The links as the host knows them.
    var links: [Link] = []

    /// The connection to the broker; nil without one.
    var session: Int?
    /// When the last message reaches the broker: each comes behind the one before.
    var upstreamEnd = 0
    var hasSettled = false
    /// From when on what is in store of those that were not heard counts no more.
    var patienceEnd: Int?
    /// Whether bridges that have come are about to be told that this one is there.
    var willAnswer = false
    /// What is known of other bridges by their index: nil where nothing is.
    var peers: [Peer] = []

    /// The time.
    weak var clock: Timeline?
    /// The bridges that are there, as ``neighbors`` tells; nil if that has changed.
    private var online: [String]?

    /// What the bridge knows of others, as the machines ask for it.
    private(set) lazy var neighbors = Neighbors(
        life: { [unowned self] in life(of: $0) }, online: { [unowned self] in onlineBridges() })

    /// Another bridge.
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

    /// Whether the bridge does anything.
    var isActive: Bool { isPowered && isRunning && backlog == nil }

    /// Whether another bridge is there.
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

    /// Another bridge says whether it is there.
    func heard(availability isOnline: Bool, of other: Int, isStored: Bool) {
        peers[other] = Peer(
            isOnline: isOnline, isHeardLive: isOnline && (peers[other].isHeardLive || !isStored))
        online = nil
    }

    /// Another bridge says something of itself: it is there, unless it has gone.
    func heard(infoOf other: Int) { if peers[other].isOnline != false { peers[other].isHeardLive = true } }

    /// Forgets all that the bridge knows.
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

/// What a bridge knows of a device.
final class Party {
    let device: Peripheral
    var claim: DeviceClaim
    var choice = HostChoice()
    var link: Link?
    /// What it said last on this connection.
    var said: (epoch: Int, state: Claim.State)?
    /// What the newest foreign claim told of the device's task, and from when it is.
    var foreignIntent: Intent?
    /// What the device is about here.
    var intent: Intent?
    /// The link by which power was switched on.
    var powerLink: Int?
    /// The last command that was heard, obeyed or not.
    var lastCommand: Command?
    var isChallenging = false
    var isQueued = false
    var lastHeard = Int.min / 2
    /// Not connected to before.
    var notBefore = 0
    /// When it is decided again.
    var decision: Int?
    var deadline: Duration?

    init(device: Peripheral, bridge: String) {
        self.device = device
        claim = DeviceClaim(bridge: bridge, address: device.address)
    }
}

/// What a belt is about.
struct Intent {
    /// From when it is.
    var sent: Int
    /// The link under which it is said.
    var epoch: Int
}

/// What somebody wants of a device.
struct Command {
    enum Kind { case power, drive, lead }

    var kind: Kind
    var sent: Int
}
