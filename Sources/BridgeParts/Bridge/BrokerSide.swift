package import Claims

/// What the bridge knows of its broker and of what stands behind it.
package struct BrokerSide: Sendable {
    package var status = BrokerStatus()
    package var subscriptions = Subscriptions()
    /// The names of devices whose commands without a feature are subscribed to alone, since the broker refuses the
    /// subscription that covers them.
    package var bareCommands: Set<String> = []
    /// Where answers are not sent.
    package var unconfirmedReplies = UnconfirmedReplies()
    package var echoes = Echoes()
    /// When a connection on which messages piled up is left.
    package var renewals = RenewalPace()
    /// The other bridges at the broker.
    package var peers: Peers
    /// The families that other bridges know.
    package var families = PeerFamilies()
    /// The devices and groups at the roots of these, as they were found last.
    package var misplacedNames: Set<String> = []

    package init(
        status: BrokerStatus = BrokerStatus(), subscriptions: Subscriptions = Subscriptions(),
        bareCommands: Set<String> = [], unconfirmedReplies: UnconfirmedReplies = UnconfirmedReplies(),
        echoes: Echoes = Echoes(), renewals: RenewalPace = RenewalPace(), peers: Peers,
        families: PeerFamilies = PeerFamilies(), misplacedNames: Set<String> = []
    ) {
        self.status = status
        self.subscriptions = subscriptions
        self.bareCommands = bareCommands
        self.unconfirmedReplies = unconfirmedReplies
        self.echoes = echoes
        self.renewals = renewals
        self.peers = peers
        self.families = families
        self.misplacedNames = misplacedNames
    }

    /// Notes that the connection is new, or gone: nothing of the one before counts.
    package mutating func reset() {
        subscriptions.reset()
        echoes.reset()
    }
}
