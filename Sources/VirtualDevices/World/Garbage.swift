import Bluetooth

/// The state of a burst test with random notifications: how many are requested, and how many were sent. The type has no
/// clock and performs no I/O.
///
/// A notification requires a subscription. Without a connection, the test pauses and continues with the next
/// connection. It ends when all characteristics that any client subscribed to have sent the requested number, or when
/// no client received a notification for ``patience``.
struct Garbage: Sendable {
    /// How many notifications each notifying characteristic sends.
    let wanted: Int
    /// How many notifications each characteristic has sent to subscribed clients.
    private(set) var sent: [CharacteristicID: Int]
    /// When the next burst is sent.
    private(set) var due: Duration
    /// The characteristics that a client has subscribed to since the start of the test.
    private var taken: Set<CharacteristicID> = []
    private var lastSent: Duration
    /// Until when the test sends nothing, because the client would lose the notifications.
    private var quietUntil: Duration = .zero

    /// The interval between two bursts, which limits the load on the server and the client.
    static let pace: Duration = .milliseconds(5)
    /// The number of notifications per characteristic in a burst.
    static let burst = 8
    /// How long the test continues without a notification to a client.
    static let patience: Duration = .seconds(60)
    /// How long the test waits on a new connection, so that the client can subscribe. A previous client's subscription
    /// may still be active, but its notifications are lost.
    static let settlingTime: Duration = .seconds(1)
    /// How long the test waits after a farewell (a value that announces that the device switches off), so that the
    /// client can disconnect. The test then continues, whether the client has disconnected or not.
    static let farewellTime: Duration = .seconds(5)
    /// The number of rounds (one notification per characteristic) after a farewell in which no random value is a
    /// farewell. The limit is necessary because each farewell keeps the client busy with a reconnect for seconds.
    static let roundsWithoutFarewell = 2500

    init(_ count: Int, of characteristics: [CharacteristicID], at now: Duration) {
        wanted = count
        sent = Dictionary(characteristics.map { ($0, 0) }) { first, _ in first }
        (due, lastSent) = (now + Self.pace, now)
    }

    /// Starts the next burst.
    ///
    /// - Parameter subscriptions: The connected client's subscriptions; empty without a client.
    mutating func begin(at now: Duration, subscriptions: Set<CharacteristicID>) {
        taken.formUnion(subscriptions.filter { sent[$0] != nil })
        due = now + Self.pace
    }

    /// Whether the characteristic has notifications left and may send now.
    func wants(_ id: CharacteristicID, at now: Duration) -> Bool {
        now >= quietUntil && taken.contains(id) && sent[id, default: wanted] < wanted
    }

    /// Records that a notification was sent.
    mutating func note(_ id: CharacteristicID, isFarewell: Bool, at now: Duration) {
        sent[id, default: 0] += 1
        lastSent = now
        if isFarewell { quietUntil = now + Self.farewellTime }
    }

    /// Records a new connection.
    mutating func linkBegan(at now: Duration) { quietUntil = now + Self.settlingTime }

    /// Whether the test is complete.
    func isOver(at now: Duration) -> Bool {
        let isDone = !taken.isEmpty && taken.allSatisfy { sent[$0, default: 0] >= wanted }
        return isDone || now - lastSent >= Self.patience
    }
}
