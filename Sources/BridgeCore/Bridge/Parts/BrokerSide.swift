import Claims

/// What the bridge knows of its broker and of what stands behind it.
struct BrokerSide: Sendable {
    var status = BrokerStatus()
    var subscriptions = Subscriptions()
    /// The names of devices whose commands without a feature are subscribed to alone, since the broker refuses the
    /// subscription that covers them.
    var bareCommands: Set<String> = []
    /// Where answers are not sent.
    var unconfirmedReplies = UnconfirmedReplies()
    var echoes = Echoes()
    /// When a connection on which messages piled up is left.
    var renewals = RenewalPace()
    /// The other bridges at the broker.
    var peers: Peers
    /// The families that other bridges know.
    var families = PeerFamilies()
    /// The devices and groups at the roots of these, as they were found last.
    var misplacedNames: Set<String> = []

    /// Notes that the connection is new, or gone: nothing of the one before counts.
    mutating func reset() {
        subscriptions.reset()
        echoes.reset()
    }
}
