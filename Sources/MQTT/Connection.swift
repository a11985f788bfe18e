import CMosquitto
import EventLoop
import Glibc
import Messages

/// One connection to one address, over a libmosquitto handle of its own; belongs to the loop's thread.
///
/// A handle is never used twice: libmosquitto would send its in-flight messages again by itself. It never
/// writes behind our back either (`mosquitto_threaded_set`), so what it reports while it reads is an
/// acknowledgement, and what it reports while it writes is a message of QoS 0 that left. Its callbacks only
/// note facts; the caller that drives the connection takes them when the library is not on the stack any
/// more.
final class Connection {
    /// Something that happened on the connection.
    enum Fact {
        /// How many messages may be unacknowledged, and how many bytes a packet to the broker may have; nil where it
        /// did not say.
        case accepted(window: Int, packetLimit: Int?)
        case message(IncomingMessage)
        /// A QoS 1 message was acknowledged, or refused with a reason.
        case acknowledged(CInt, refusal: Reason?)
        /// A subscription was granted, at most at this QoS.
        case subscribed(filter: String, qos: Int)
        case subscriptionRefused(filter: String, Reason)
        /// The probe that was handed over is in the socket, since this time at the earliest.
        case probed(at: Duration)
        /// A subscription was ended.
        case unsubscribed(CInt)
        case ended(MQTTError)
    }

    /// What the library made of a message.
    enum Handover {
        /// It is under way, with this packet identifier.
        case taken(CInt)
        case refused(Reason)
    }

    enum State {
        /// The broker has not accepted us.
        case opening
        case accepted(window: Int)
        /// - byUs: Whether we ended it: then what came before is not wanted either.
        case ended(byUs: Bool)
    }

    /// What drives the connection, from `open` until it ends.
    struct Driver {
        let loop: EventLoop
        let watch: Watch
        /// Called when `advance` has something to do.
        let handler: (Readiness) -> Void
        /// Runs while acknowledgements wait for company.
        var patience: LoopTimer?
    }

    let address: Address
    let version: ProtocolVersion
    let broker: String
    let configuration: Configuration
    let tls: TLSContext?
    let handle: OpaquePointer
    var driver: Driver?
    var state = State.opening
    var facts: [Fact] = []
    var pacing = SocketPacing()
    var writes = WriteTracker()
    var requests = SubscriptionRequests()
    var clues = FailureClues()
    /// Whether what the broker sends is left in the socket.
    var isPaused = false

    private static let isLibraryReady: Bool = {
        // Also sets SIGPIPE to be ignored with every new handle: a lost connection is an error, not a signal.
        mosquitto_lib_init() == MOSQ_ERR_SUCCESS.rawValue
    }()

    /// Prepares a handle; nothing is sent before `open`.
    ///
    /// - Parameter tls: What the broker is verified with; the connections of one attempt share it, one after
    ///   another.
    init(
        to address: Address, version: ProtocolVersion, configuration: Configuration, tls: TLSContext? = nil
    ) throws(MQTTError) {
        self.address = address
        self.version = version
        self.configuration = configuration
        broker =
            address.host == configuration.host
            ? configuration.brokerDescription : "\(configuration.brokerDescription) (\(address.host))"
        self.tls = tls
        tls?.forget()
        guard Self.isLibraryReady, let handle = mosquitto_new(configuration.clientID, true, nil) else {
            throw MQTTError(
                .invalidConfiguration, broker: broker,
                explanation: "the client id \"\(configuration.clientID)\" cannot be used")
        }
        self.handle = handle
        mosquitto_user_data_set(handle, Unmanaged.passUnretained(self).toOpaque())
        try configure()
        setCallbacks()
    }

    deinit {
        // Off the loop only if it was never opened: then no other thread has the handle.
        mosquitto_destroy(handle)
    }

    /// Whether messages can be handed over: the broker has accepted us and the socket is open.
    var isEstablished: Bool { if case .accepted = state { true } else { false } }
    var hasEnded: Bool { if case .ended = state { true } else { false } }
    /// Whether we ended it ourselves.
    var isClosed: Bool { if case .ended(byUs: true) = state { true } else { false } }

    private func configure() throws(MQTTError) {
        let number = version == .v5 ? MQTT_PROTOCOL_V5 : MQTT_PROTOCOL_V311
        mosquitto_int_option(handle, MOSQ_OPT_PROTOCOL_VERSION, number)
        mosquitto_int_option(handle, MOSQ_OPT_TCP_NODELAY, 1)
        mosquitto_int_option(handle, MOSQ_OPT_SEND_MAXIMUM, CInt(clamping: configuration.limits.inFlight))
        mosquitto_threaded_set(handle, true)
        if let tls {
            mosquitto_void_option(handle, MOSQ_OPT_SSL_CTX, UnsafeMutableRawPointer(tls.pointer))
            mosquitto_int_option(handle, MOSQ_OPT_SSL_CTX_WITH_DEFAULTS, 0)
        }
        if configuration.username != nil || configuration.password != nil {
            let status = mosquitto_username_pw_set(
                handle, configuration.username ?? "", configuration.password?.value)
            try check(status, "the user name or the password cannot be used")
        }
        guard let will = configuration.will else { return }
        let status = mosquitto_will_set_v5(
            handle, will.topic, CInt(clamping: will.payload.count), will.payload, CInt(will.qos), will.retain,
            nil)
        try check(status, "the last will for \"\(will.topic)\" cannot be used")
    }

    private func check(_ status: CInt, _ what: String) throws(MQTTError) {
        guard status != MOSQ_ERR_SUCCESS.rawValue else { return }
        throw MQTTError(
            .invalidConfiguration, broker: broker,
            explanation: "\(what): \(String(cString: mosquitto_strerror(status)))")
    }

    /// Takes the facts that were noted since the last time.
    func takeFacts() -> [Fact] {
        guard !facts.isEmpty else { return [] }
        // Not with the capacity kept: that of the largest batch there ever was would be allocated for each.
        var taken: [Fact] = []
        swap(&taken, &facts)
        return taken
    }

    var hasFacts: Bool { !facts.isEmpty }

    /// Takes the number of messages of QoS 0 that were written since the last time.
    func takeWrittenStreams() -> Int { writes.takeStreams() }

    // MARK: The end

    /// Disconnects and closes; `withWill` makes the broker publish the last will all the same.
    func close(withWill: Bool) {
        // Before the library closes the socket: a copy of it may stay open, of which the kernel would go on to report.
        driver?.watch.cancel()
        // MQTT 3.1.1 has no DISCONNECT with a will: there, silence is one.
        if isEstablished, version == .v5 || !withWill {
            mosquitto_disconnect_v5(
                handle, withWill ? CInt(MQTT_RC_DISCONNECT_WITH_WILL_MSG.rawValue) : 0, nil)
            write()
        }
        abandon(MQTTError(.closed, broker: broker, explanation: "the connection was closed"))
    }

    /// Disconnects without a last will, and calls `finish` as soon as the broker has closed the connection too.
    func close(on loop: EventLoop, then finish: @escaping () -> Void) -> ClosingSocket {
        let socket = fcntl(mosquitto_socket(handle), F_DUPFD_CLOEXEC, 0)
        close(withWill: false)
        return ClosingSocket(socket, on: loop, then: finish)
    }

    /// Gives the connection up for a reason that only its driver knows.
    func abandon(_ error: MQTTError) {
        end(error)
        state = .ended(byUs: true)
        facts.removeAll()
    }

    func end(_ error: MQTTError) {
        guard !hasEnded else { return }
        state = .ended(byUs: false)
        driver?.watch.cancel()
        driver?.patience?.cancel()
        driver = nil
        facts.append(.ended(error))
    }
}
