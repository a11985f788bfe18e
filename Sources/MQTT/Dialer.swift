/// Decides which broker, which of its addresses and which protocol version is tried next, and how long to wait before.
///
/// The client reports how each attempt and each connection ended, and does what the dialer answers.
struct Dialer {
    /// What follows a failure.
    enum Step: Equatable {
        /// Connects to an address of the same broker at once.
        case connect(Address)
        /// Resolves the name of the next broker at once.
        case next
        /// Starts a new round at once: the connection ended over a message, and the next one shows more or lasts.
        case restart
        case wait(MQTTError, Duration)
    }

    /// What an accepted connection is used for.
    enum Acceptance: Equatable {
        /// Nothing: its version was a guess, and version 5 is tried once more.
        case proves
        /// - isElsewhere: Whether the last connection was to another broker.
        case stays(isElsewhere: Bool)
    }

    /// How long a name, or an address, may take behind which there are others.
    static let shortPatience = Duration.seconds(3)

    /// Each broker as a configuration of its own.
    private var targets: [Configuration]
    private var versions: [VersionChoice]
    private var choice: ServerChoice
    private let clientIDPrefix: String?
    private var takeovers = TakeoverWatch()
    private var backoff = Backoff()
    /// The addresses of the broker that is tried, and how many of them are tried or were.
    private var addresses: [Address] = []
    private var triedCount = 0
    private var preferredAddress: Address?
    /// Which broker accepted the last connection.
    private var lastBroker: Int?
    /// How often in a row a connection was made again at once.
    private var promptReconnects = 0

    init(_ configuration: Configuration) {
        targets = configuration.servers.map(configuration.only)
        versions = targets.map { VersionChoice($0.version) }
        choice = ServerChoice(count: targets.count)
        clientIDPrefix = configuration.clientIDPrefix
    }

    /// The broker that is tried, or was tried last.
    var target: Configuration { targets[choice.current] }
    /// The protocol version of the next attempt.
    var version: ProtocolVersion { versions[choice.current].next }
    var hasOthers: Bool { targets.count > 1 }
    /// Whether each broker failed since the last connection.
    var hasFailed: Bool { choice.hasFailed }
    /// How long to wait for a name server, which can take half a minute to report a failure, and for the disk.
    var namePatience: Duration { choice.hasMore ? Self.shortPatience : .seconds(30) }
    /// How long to wait for an address: one that does not answer must not delay the next one, nor a proof what works.
    var addressPatience: Duration {
        let isLast = triedCount == addresses.count && !choice.hasMore && !versions[choice.current].isProof
        return isLast ? target.connectTimeout : min(target.connectTimeout, Self.shortPatience)
    }

    /// Whether each broker is on this host.
    private var isLocal: Bool { targets.allSatisfy { $0.servers[0].isLocal } }

    /// Starts a round of attempts: at each broker until one accepts us.
    mutating func begin() { choice.begin() }

    /// Notes the addresses of the broker, of which there is one at least.
    ///
    /// - Returns: The one to connect to first.
    mutating func found(_ addresses: [Address]) -> Address {
        self.addresses = addresses
        if let preferredAddress, let index = addresses.firstIndex(of: preferredAddress) {
            self.addresses.swapAt(0, index)
        }
        triedCount = 1
        return self.addresses[0]
    }

    /// Notes that the broker cannot be reached at all.
    ///
    /// - Parameter random: From 0 up to but not including 1.
    mutating func failed(_ error: MQTTError, random: Double) -> Step {
        guard choice.failed(error) else { return wait(choice.failure ?? error, random: random) }
        takeovers.attemptFailed()
        return .next
    }

    /// Notes that an attempt at an address failed.
    ///
    /// - Parameter isUnanswered: Whether the broker took the connection and did not answer our CONNECT.
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

    /// Whether the broker may have ended the attempt over its version, so that another one is next. Some answer what
    /// version 5 cannot parse.
    private mutating func isRefusedVersion(_ error: MQTTError) -> Bool {
        if error.code == .unsupportedVersion || error.code == .protocolError && version == .v5 {
            if versions[choice.current].refused() { return true }
        }
        return error.code == .connectionLost && versions[choice.current].hungUp()
    }

    /// Notes that the broker accepted a connection.
    mutating func accepted() -> Acceptance {
        guard versions[choice.current].accepted() else { return .proves }
        defer { lastBroker = choice.current }
        preferredAddress = addresses[triedCount - 1]
        choice.accepted()
        return .stays(isElsewhere: lastBroker.map { $0 != choice.current } ?? false)
    }

    /// Notes that a connection ended that the broker had accepted.
    ///
    /// - Parameters:
    ///   - outcome: What the end shows of the messages that were under way.
    ///   - isSilent: Whether another client may have ended it.
    mutating func lost(
        _ error: MQTTError, after lifetime: Duration, _ outcome: Outbox.DisconnectOutcome, isSilent: Bool,
        random: Double
    ) -> Step {
        left(after: lifetime)
        if mayRestart(outcome) { return .restart }
        let isSuspected = takeovers.ended(after: lifetime, silently: isSilent)
        if isSuspected || error.code == .sessionTakenOver, let clientIDPrefix {
            // Another client may have the random id: another one is used.
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

    /// Notes that this side ended a connection.
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

    /// - Parameter pace: How soon to try again; nil for what the error calls for.
    private mutating func wait(_ error: MQTTError, _ pace: Backoff.Pace? = nil, random: Double) -> Step {
        .wait(error, backoff.next(pace ?? error.pace(isLocal: isLocal), random: random))
    }
}

extension MQTTError {
    fileprivate static func probableTakeover(broker: String) -> MQTTError {
        MQTTError(
            .sessionTakenOver, broker: broker,
            explanation:
                "the broker accepted the connection and soon closed it without a reason, three times now:"
                + " another client may have our client id, or the broker was restarted")
    }

    /// Whether another address of the same name may do better.
    fileprivate var isAboutAddress: Bool {
        switch code {
        case .connectionRefused, .unreachable, .timedOut, .connectionLost, .permissionDenied: true
        default: false
        }
    }
}
