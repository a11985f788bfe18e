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
        case accepted(window: Int)
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

    let address: Address
    let version: ProtocolVersion
    let broker: String
    /// The name that the broker's certificate is to hold.
    let serverName: String
    let username: String?
    let windowLimit: Int
    let payloadLimit: Int
    let acknowledgesAtOnce: Bool
    let tls: TLSContext?
    let handle: OpaquePointer
    var loop: EventLoop?
    var watch: Watch?
    /// Called when `advance` has something to do.
    var handler: ((Readiness) -> Void)?
    /// Ends the time in which acknowledgements wait for company; nil while they do not.
    var patience: LoopTimer?
    static let longestPatience = Duration.milliseconds(2)
    /// How many acknowledgements are company enough, and the length of one in bytes.
    static let company = 3, acknowledgementSize = 4
    /// Whether the kernel has not acknowledged what was read.
    var owesAcknowledgement = false
    /// When a message was written last.
    var lastMessage: Duration?
    /// The round of the loop in which we wrote last.
    var lastWrite: UInt64 = 0
    /// Whether the kernel keeps what is written until the end of the round.
    var isCorked = false

    var facts: [Fact] = []
    var hasEnded = false
    /// Whether we ended it ourselves.
    var isClosed = false
    var isAccepted = false
    /// How many messages may be unacknowledged; 0 before the broker has accepted us.
    var window = 0
    /// How many bytes a packet to the broker may have; nil where it did not say.
    var packetLimit: Int?
    var isWriting = false
    /// Whether what the broker sends is left in the socket.
    var isPaused = false
    var writtenStreams = 0
    /// The probe that the library has, and when it was tried last to hand it to the socket.
    var probe: CInt?
    var lastWriteBegan: Duration = .zero
    /// The subscriptions that wait for their answer, by their packet; of several to one filter the newest.
    var waitingFilters: [CInt: [String]] = [:]
    var newestRequests: [String: CInt] = [:]
    var refusal: MQTTError?
    var complaint: String?
    /// The error that the socket reported before it was read to its end.
    var socketError: CInt?

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
        serverName = configuration.serverName
        username = configuration.username
        windowLimit = configuration.limits.inFlight
        payloadLimit = configuration.limits.payload
        acknowledgesAtOnce = configuration.acknowledgesAtOnce
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
        try configure(configuration)
        setCallbacks(of: handle)
        if tls != nil { setLogCallback(of: handle) }
    }

    deinit {
        // Off the loop only if it was never opened: then no other thread has the handle.
        mosquitto_destroy(handle)
    }

    private func configure(_ configuration: Configuration) throws(MQTTError) {
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
        if let will = configuration.will { try setWill(will) }
    }

    private func setWill(_ will: Configuration.Will) throws(MQTTError) {
        var properties = PropertyList(pointer: nil)
        let delay = will.delay.components.seconds
        if version == .v5, delay > 0 {
            properties.add(MQTT_PROP_WILL_DELAY_INTERVAL, UInt32(clamping: delay))
        }
        let status = mosquitto_will_set_v5(
            handle, will.topic, CInt(clamping: will.payload.count), will.payload, CInt(will.qos), will.retain,
            properties.pointer)
        if status == MOSQ_ERR_SUCCESS.rawValue { _ = properties.handOver() }
        try check(status, "the last will for \"\(will.topic)\" cannot be used")
    }

    private func check(_ status: CInt, _ what: String) throws(MQTTError) {
        guard status != MOSQ_ERR_SUCCESS.rawValue else { return }
        throw MQTTError(
            .invalidConfiguration, broker: broker,
            explanation: "\(what): \(String(cString: mosquitto_strerror(status)))")
    }
}
