import Claims

/// The messages between bridges.
enum Message {
    case claim(device: Int, Claim, Intent?)
    case availability(host: Int, Bool)
    /// The bridge's `info`, which shows that it is online, although it has not just connected.
    case here(host: Int)
    case offer(device: Int, Offer)
    case command(device: Int, Command)
    case subscribe
    /// All retained messages.
    case store(Store, marker: Int)

    /// The device of a claim.
    var claimed: Int? { if case .claim(let device, _, _) = self { device } else { nil } }
    /// Whether it reports that a bridge is online or offline.
    var isOfBridge: Bool {
        switch self {
        case .availability, .here: true
        case .claim, .offer, .command, .subscribe, .store: false
        }
    }
}

/// The retained messages of a broker.
struct Store {
    var claims: [(claim: Claim, intent: Intent?)?]
    var availability: [Bool?]
}

/// A broker: its sessions and its retained messages.
struct Broker {
    struct Session {
        var number: Int
        var isSubscribed = false
        var downstreamEnd = 0
    }

    var isUp = true
    var sessions: [Session?]
    var store: Store
    /// An earlier state of the retained messages.
    var oldStore: Store
    var lastSession = 0

    init(hosts: Int, devices: Int) {
        sessions = Array(repeating: nil, count: hosts)
        store = Store(
            claims: Array(repeating: nil, count: devices), availability: Array(repeating: nil, count: hosts))
        oldStore = store
    }
}
