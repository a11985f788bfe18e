import Bluetooth

/// Notifications without sense: how many are wanted, and what was sent of them. A pure value.
///
/// Only what a client subscribed to can be sent, so it waits while there is no link and goes on with the next one,
/// until every characteristic that any client wanted has had all, or no client took any for ``patience``.
struct Garbage: Sendable {
    /// How many every notifying characteristic is to send.
    let wanted: Int
    /// How many each of them sent to a client that had subscribed.
    private(set) var sent: [CharacteristicID: Int]
    /// When the next burst is due.
    private(set) var due: Duration
    /// The characteristics to which a client has subscribed since it began.
    private var taken: Set<CharacteristicID> = []
    private var lastSent: Duration
    /// Until when nothing is sent, because it would be lost on the client.
    private var quietUntil: Duration = .zero

    /// The time between two bursts, which lets the server and its client breathe.
    static let pace: Duration = .milliseconds(5)
    /// How many notifications on every characteristic a burst has.
    static let burst = 8
    /// How long it waits for a client.
    static let patience: Duration = .seconds(60)
    /// How long a client has for its own subscriptions on a new link: an older one may still be in force, of which
    /// it takes nothing any more.
    static let settlingTime: Duration = .seconds(1)
    /// How long a client may take to close the link after a farewell; it need not.
    static let farewellTime: Duration = .seconds(5)
    /// How many rounds a device sends before one of them may be a farewell again: with every one the client is
    /// busy for seconds with another link instead of with garbage.
    static let roundsWithoutFarewell = 2500

    init(_ count: Int, of characteristics: [CharacteristicID], at now: Duration) {
        wanted = count
        sent = Dictionary(characteristics.map { ($0, 0) }) { first, _ in first }
        (due, lastSent) = (now + Self.pace, now)
    }

    /// The next burst begins.
    ///
    /// - Parameter subscriptions: What the connected client subscribed to; empty without one.
    mutating func begin(at now: Duration, subscriptions: Set<CharacteristicID>) {
        taken.formUnion(subscriptions.filter { sent[$0] != nil })
        due = now + Self.pace
    }

    /// Whether the characteristic has to send more, and may now.
    func wants(_ id: CharacteristicID, at now: Duration) -> Bool {
        now >= quietUntil && taken.contains(id) && sent[id, default: wanted] < wanted
    }

    /// One was sent.
    mutating func note(_ id: CharacteristicID, isFarewell: Bool, at now: Duration) {
        sent[id, default: 0] += 1
        lastSent = now
        if isFarewell { quietUntil = now + Self.farewellTime }
    }

    /// A client has connected.
    mutating func linkBegan(at now: Duration) { quietUntil = now + Self.settlingTime }

    /// Whether nothing more is to come.
    func isOver(at now: Duration) -> Bool {
        let isDone = !taken.isEmpty && taken.allSatisfy { sent[$0, default: 0] >= wanted }
        return isDone || now - lastSent >= Self.patience
    }
}
