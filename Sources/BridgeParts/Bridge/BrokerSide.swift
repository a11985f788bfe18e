package import Claims

/// The state of the broker connection and of the other bridges on the broker.
package struct BrokerSide: Sendable {
    package var status = BrokerStatus()
    package var subscriptions = Subscriptions()
    /// The names of the devices for which the bridge subscribes separately to commands that name no feature
    /// (`<name>/set`), because the broker refuses the common subscription.
    package var bareCommands: Set<String> = []
    /// The Response Topics to which no answers are sent, because such an answer may make the broker close the
    /// connection.
    package var unconfirmedReplies = UnconfirmedReplies()
    package var echoes = Echoes()
    /// Limits how often the bridge replaces a broker connection because messages piled up on it.
    package var renewals = RenewalPace()
    /// What is known about the other bridges on the broker.
    package var peers: Peers
    package var families = PeerFamilies()
    /// The devices and groups whose names start with the name of another bridge's family, as last checked.
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

    /// Records that the broker connection is new or lost, and resets the state of the connection.
    package mutating func reset() {
        subscriptions.reset()
        echoes.reset()
    }
}
