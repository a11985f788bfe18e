import CMosquitto
import EventLoop
import Glibc
import Messages

/// One connection to one address, with its own libmosquitto handle; belongs to the loop's thread.
///
/// A handle is never reused: libmosquitto would send its in-flight messages again. The library never writes outside of
/// its functions, because `mosquitto_threaded_set` is called. So if the library reports a publish while it reads, the
/// broker acknowledged a message. If it reports a publish while it writes, a QoS 0 message was sent. The callbacks only
/// record facts; the client takes them after the library has returned.
final class Connection {
    /// An event on the connection.
    enum Fact {
        /// The broker accepted the client. `window` is the maximum number of unacknowledged messages, `packetLimit` the
        /// broker's maximum packet size in bytes; nil if the broker sent none.
        case accepted(window: Int, packetLimit: Int?)
        case message(IncomingMessage)
        /// A QoS 1 message was acknowledged, or refused with a reason.
        case acknowledged(CInt, refusal: Reason?)
        /// A subscription was granted; `qos` is the maximum QoS of its messages.
        case subscribed(filter: String, qos: Int)
        case subscriptionRefused(filter: String, Reason)
        /// The pending probe is in the socket; the time is the start of the write.
        case probed(at: Duration)
        /// An UNSUBSCRIBE was acknowledged.
        case unsubscribed(CInt)
        case ended(MQTTError)
    }

    /// What the library did with a message that was passed to it.
    enum Handover {
        /// The message is in flight, with this packet identifier.
        case taken(CInt)
        case refused(Reason)
    }

    enum State {
        /// The broker has not yet accepted the client.
        case opening
        case accepted(window: Int)
        /// - byUs: Whether this side ended the connection. If so, facts recorded before are ignored too.
        case ended(byUs: Bool)
    }

    /// The registration of the connection with the event loop: the watch of the socket and a timer. It exists from
    /// `open` to the end of the connection.
    struct Driver {
        let loop: EventLoop
        let watch: Watch
        /// Called when the socket is ready, so that `advance` has work to do.
        let handler: (Readiness) -> Void
        /// The timer that runs while acknowledgements collect in the socket.
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
    /// Whether reading is paused, so that data from the broker stays in the socket.
    var isPaused = false

    private static let isLibraryReady: Bool = {
        // Each new handle of the library also makes the process ignore SIGPIPE, so that a write to a lost connection
        // returns an error instead of ending the process.
        mosquitto_lib_init() == MOSQ_ERR_SUCCESS.rawValue
    }()

    /// Prepares a handle; nothing is sent before `open`.
    ///
    /// - Parameter tls: The context that verifies the broker; the connections of one attempt share it, one after
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
                explanation: "the client id \"\(configuration.clientID)\" is invalid")
        }
        self.handle = handle
        mosquitto_user_data_set(handle, Unmanaged.passUnretained(self).toOpaque())
        try configure()
        setCallbacks()
    }

    deinit {
        // This runs on another thread than the loop's only if the connection was never opened: then no other thread
        // uses the handle.
        mosquitto_destroy(handle)
    }

    /// Whether messages can be sent: the broker has accepted the client and the socket is open.
    var isEstablished: Bool { if case .accepted = state { true } else { false } }
    var hasEnded: Bool { if case .ended = state { true } else { false } }
    /// Whether this side ended the connection.
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
            try check(status, "the user name or the password is invalid")
        }
        guard let will = configuration.will else { return }
        let status = mosquitto_will_set_v5(
            handle, will.topic, CInt(clamping: will.payload.count), will.payload, CInt(will.qos), will.retain,
            nil)
        try check(status, "the last will for \"\(will.topic)\" is invalid")
    }

    private func check(_ status: CInt, _ what: String) throws(MQTTError) {
        guard status != MOSQ_ERR_SUCCESS.rawValue else { return }
        throw MQTTError(
            .invalidConfiguration, broker: broker,
            explanation: "\(what): \(String(cString: mosquitto_strerror(status)))")
    }

    /// Returns the facts recorded since the previous call.
    func takeFacts() -> [Fact] {
        guard !facts.isEmpty else { return [] }
        // The empty array keeps no capacity: otherwise each array would be as large as the largest batch so far.
        var taken: [Fact] = []
        swap(&taken, &facts)
        return taken
    }

    var hasFacts: Bool { !facts.isEmpty }

    /// Returns the number of QoS 0 messages written since the last call.
    func takeWrittenStreams() -> Int { writes.takeStreams() }

    // MARK: Closing

    /// Disconnects and closes; `withWill` makes the broker publish the last will.
    func close(withWill: Bool) {
        // Canceled before the library closes the socket: a duplicate of the descriptor may stay open, and the kernel
        // would still report its events.
        driver?.watch.cancel()
        // MQTT 3.1.1 has no DISCONNECT with a will; closing without DISCONNECT has the same effect.
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

    /// Ends the connection without DISCONNECT, because of an error that the client found.
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
