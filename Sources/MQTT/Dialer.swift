/// Decides which broker, address and protocol version are tried next, and after which delay.
///
/// The client reports the outcome of each attempt and connection, and carries out the returned step.
struct Dialer {
    /// What the client has to do after a failure.
    enum Step: Equatable {
        /// Connect to an address of the same broker immediately.
        case connect(Address)
        /// Resolve the name of the next broker immediately.
        case next
        /// Start a new round immediately: a message probably made the broker close the connection. If the next
        /// connection lasts, the message was not the reason; otherwise the client has more evidence about the message.
        case restart
        case wait(MQTTError, Duration)
    }

    /// What the client does with an accepted connection.
    enum Acceptance: Equatable {
        /// The client closes the connection immediately and tries version 5 again, because version 3.1.1 was only a
        /// guess (see ``VersionChoice``).
        case proves
        /// The client keeps the connection. `isElsewhere` is true if the last connection was to another broker.
        case stays(isElsewhere: Bool)
    }

    /// The maximum time for resolving a name or connecting to an address if other brokers or addresses remain to be
    /// tried.
    static let shortPatience = Duration.seconds(3)

    private var targets: [Configuration]
    private var versions: [VersionChoice]
    private var choice: ServerChoice
    private let clientIDPrefix: String?
    private var takeovers = TakeoverWatch()
    private var backoff = Backoff()
    /// The addresses of the current broker. The first ``triedCount`` of them were used for attempts, including the
    /// current attempt.
    private var addresses: [Address] = []
    private var triedCount = 0
    private var preferredAddress: Address?
    /// The index of the broker that accepted the last connection.
    private var lastBroker: Int?
    /// The number of consecutive reconnects without a delay.
    private var promptReconnects = 0

    init(_ configuration: Configuration) {
        targets = configuration.servers.map(configuration.only)
        versions = targets.map { VersionChoice($0.version) }
        choice = ServerChoice(count: targets.count)
        clientIDPrefix = configuration.clientIDPrefix
    }

    /// The current broker, or the last broker that was tried.
    var target: Configuration { targets[choice.current] }
    /// The protocol version of the next attempt.
    var version: ProtocolVersion { versions[choice.current].next }
    var hasOthers: Bool { targets.count > 1 }
    /// Whether every broker has failed since the last connection.
    var hasFailed: Bool { choice.hasFailed }
    /// The maximum time to wait for the name server, which can take half a minute to report a failure, and for files on
    /// disk.
    var namePatience: Duration { choice.hasMore ? Self.shortPatience : .seconds(30) }
    /// The maximum wait for an address: an unresponsive address must not delay the next one, and a test of version 5
    /// must not delay a version that works.
    var addressPatience: Duration {
        let isLast = triedCount == addresses.count && !choice.hasMore && !versions[choice.current].isProof
        return isLast ? target.connectTimeout : min(target.connectTimeout, Self.shortPatience)
    }

    private var isLocal: Bool { targets.allSatisfy { $0.servers[0].isLocal } }

    /// Starts a round of attempts: the brokers are tried in order until a broker accepts the client.
    mutating func begin() { choice.begin() }

    /// Sets the addresses of the broker, at least one.
    ///
    /// - Returns: The address to connect to first.
    mutating func found(_ addresses: [Address]) -> Address {
        self.addresses = addresses
        if let preferredAddress, let index = addresses.firstIndex(of: preferredAddress) {
            self.addresses.swapAt(0, index)
        }
        triedCount = 1
        return self.addresses[0]
    }

    /// Handles a failure before any data is sent to the broker, for instance because its name does not resolve or a TLS
    /// file is invalid.
    ///
    /// - Parameter random: At least 0 and less than 1.
    mutating func failed(_ error: MQTTError, random: Double) -> Step {
        guard choice.failed(error) else { return wait(choice.failure ?? error, random: random) }
        takeovers.attemptFailed()
        return .next
    }

    /// Handles a failed attempt at an address.
    ///
    /// - Parameter isUnanswered: Whether the broker accepted the connection and did not answer the CONNECT.
    mutating func attemptFailed(_ error: MQTTError, isUnanswered: Bool = false, random: Double) -> Step {
        let address = addresses[triedCount - 1]
        if isUnanswered, versions[choice.current].unanswered() { return .connect(address) }
        takeovers.attemptFailed()
        if isRefusedVersion(error) { return .connect(address) }
        guard error.isAboutAddress else { return failed(error, random: random) }
        if triedCount < addresses.count {
            triedCount += 1
            return .connect(addresses[triedCount - 1])
        }
        var whole = error
        if addresses.count > 1 {
            let tried = addresses.map(\.host).joined(separator: ", ")
            whole.broker = "\(target.brokerDescription) (tried \(tried))"
        }
        return failed(whole, random: random)
    }

    /// Whether the broker may have ended the attempt because of the protocol version, so that another version is tried.
    /// Some brokers send an answer that is invalid in version 5.
    private mutating func isRefusedVersion(_ error: MQTTError) -> Bool {
        if error.code == .unsupportedVersion || error.code == .protocolError && version == .v5 {
            if versions[choice.current].refused() { return true }
        }
        return error.code == .connectionLost && versions[choice.current].hungUp()
    }

    /// Handles an accepted connection; decides whether the client keeps it.
    mutating func accepted() -> Acceptance {
        guard versions[choice.current].accepted() else { return .proves }
        defer { lastBroker = choice.current }
        preferredAddress = addresses[triedCount - 1]
        choice.accepted()
        return .stays(isElsewhere: lastBroker.map { $0 != choice.current } ?? false)
    }

    /// Handles the end of an accepted connection.
    ///
    /// - Parameters:
    ///   - outcome: The evidence about the messages that were in flight.
    ///   - isSilent: Whether the broker closed the connection without a reason, as it does when another client connects
    ///     with the same client id.
    mutating func lost(
        _ error: MQTTError, after lifetime: Duration, _ outcome: Outbox.DisconnectOutcome, isSilent: Bool,
        random: Double
    ) -> Step {
        left(after: lifetime)
        if mayRestart(outcome) { return .restart }
        let isSuspected = takeovers.ended(after: lifetime, silently: isSilent)
        if isSuspected || error.code == .sessionTakenOver, let clientIDPrefix {
            // Another client may use the same random id, so the next connection uses a new random id.
            takeovers = TakeoverWatch()
            let clientID = "\(clientIDPrefix)-\(Configuration.randomClientIDEnd())"
            for index in targets.indices { targets[index].clientID = clientID }
            return wait(error, .usual(isLocal: isLocal), random: random)
        }
        let cause = isSuspected ? .probableTakeover(broker: error.broker) : error
        let isOtherNext = choice.lost(cause)
        if isOtherNext { takeovers.attemptFailed() }
        return wait(cause, isOtherNext ? .other : nil, random: random)
    }

    /// Records that this side ended a connection after `lifetime`.
    mutating func left(after lifetime: Duration) {
        backoff.connected()
        if lifetime >= .seconds(5) { promptReconnects = 0 }
    }

    private mutating func mayRestart(_ outcome: Outbox.DisconnectOutcome) -> Bool {
        switch outcome.finding {
        case .rejected:
            promptReconnects = 0
            return true
        case .nothing where outcome.cause != .forbidden || !outcome.hasSuspects: return false
        case .failure, .nothing:
            promptReconnects += 1
            return promptReconnects <= 3
        }
    }

    /// - Parameter pace: The pace of the next attempt; nil for the pace of the error.
    private mutating func wait(_ error: MQTTError, _ pace: Backoff.Pace? = nil, random: Double) -> Step {
        .wait(error, backoff.next(pace ?? error.pace(isLocal: isLocal), random: random))
    }
}

extension MQTTError {
    fileprivate static func probableTakeover(broker: String) -> MQTTError {
        MQTTError(
            .sessionTakenOver, broker: broker,
            explanation:
                "the broker accepted the connection and soon closed it without a reason, three times in a row:"
                + " another client may use the same client id, or the broker was restarted")
    }

    /// Whether another address of the same name may work.
    fileprivate var isAboutAddress: Bool {
        switch code {
        case .connectionRefused, .unreachable, .timedOut, .connectionLost, .permissionDenied: true
        default: false
        }
    }
}
