import Claims

/// What bridges say to each other.
enum Message {
    case claim(device: Int, Claim, Intent?)
    case availability(host: Int, Bool)
    /// The bridge is there, though it has not just come: its `info`.
    case here(host: Int)
    case offer(device: Int, Offer)
    case command(device: Int, Command)
    case subscribe
    /// All that is in store.
    case store(Store, marker: Int)

    /// The device whose claim it is.
    var claimed: Int? { if case .claim(let device, _, _) = self { device } else { nil } }
    /// Whether it tells of a bridge, whether that is there.
    var isOfBridge: Bool {
        switch self {
        case .availability, .here: true
        case .claim, .offer, .command, .subscribe, .store: false
        }
    }
}

/// What a broker retains.
struct Store {
    var claims: [(claim: Claim, intent: Intent?)?]
    var availability: [Bool?]
}

/// The broker: sessions, and what it retains.
struct Broker {
    struct Session {
        var number: Int
        var isSubscribed = false
        var downstreamEnd = 0
    }

    var isUp = true
    var sessions: [Session?]
    var store: Store
    /// What was in store a while ago.
    var oldStore: Store
    var lastSession = 0

    init(hosts: Int, devices: Int) {
        sessions = Array(repeating: nil, count: hosts)
        store = Store(
            claims: Array(repeating: nil, count: devices), availability: Array(repeating: nil, count: hosts))
        oldStore = store
    }
}
