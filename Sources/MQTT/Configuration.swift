/// How to reach a broker, or one of several, and as which user.
public struct Configuration: Sendable, Hashable {
    /// Which protocol version to speak.
    public enum Version: String, Sendable, Hashable, CaseIterable {
        /// 5 where the broker speaks it, else 3.1.1.
        case auto
        /// Version 5 or nothing.
        case v5 = "5"
        /// Version 3.1.1 or nothing.
        case v311 = "3.1.1"
    }

    /// How to secure the connection, and by what to know the broker.
    public struct TLS: Sendable, Hashable {
        /// A file of CA certificates in PEM; without one, the system's trust store.
        public var caFile: String?
        /// Our own certificate with its chain, in PEM.
        public var certificateFile: String?
        /// The key of our certificate, in PEM, without a password.
        public var keyFile: String?
        /// Accepts any certificate of any host; only for a bench.
        public var insecure: Bool

        /// Describes TLS; without arguments: the system's trust, no client certificate.
        public init(
            caFile: String? = nil, certificateFile: String? = nil, keyFile: String? = nil,
            insecure: Bool = false
        ) {
            self.caFile = caFile
            self.certificateFile = certificateFile
            self.keyFile = keyFile
            self.insecure = insecure
        }
    }

    /// What the broker publishes for us if we vanish without a goodbye.
    public struct Will: Sendable, Hashable {
        /// The topic name.
        public var topic: String
        /// The bytes.
        public var payload: [UInt8]
        /// The quality of service: 0, 1 or 2.
        public var qos: Int
        /// Whether it becomes the topic's retained message.
        public var retain: Bool

        /// Describes a last will.
        public init(topic: String, payload: [UInt8], qos: Int = 1, retain: Bool = true) {
            self.topic = topic
            self.payload = payload
            self.qos = qos
            self.retain = retain
        }
    }

    /// How much may wait for the broker, and how much of a message is taken from it.
    public struct Limits: Sendable, Hashable {
        /// How many events and replies may wait; beyond it the oldest of the largest share goes, counted and reported.
        public var events: Int
        /// How many urgent events and replies may wait in addition; beyond it none is accepted.
        public var urgent: Int
        /// How many messages of streams may wait; beyond it the oldest goes, counted.
        public var streams: Int
        /// How many QoS 1 messages may be unacknowledged at once; the broker may allow fewer.
        ///
        /// libmosquitto walks all of them at every acknowledgement, so more is not faster.
        public var inFlight: Int
        /// How many bytes an incoming message may have; of a longer message only the size is reported.
        ///
        /// libmosquitto holds what it reads twice while it hands a message over, so a copy would be the third. The broker
        /// is not asked to keep longer ones from us (MQTT 5's Maximum Packet Size): it would drop them without a word,
        /// and a stop with them.
        public var payload: Int

        /// Sets the limits; the defaults suit a bridge.
        public init(
            events: Int = 10_000, urgent: Int = 2_048, streams: Int = 1_000, inFlight: Int = 200,
            payload: Int = .max
        ) {
            self.events = events
            self.urgent = urgent
            self.streams = streams
            self.inFlight = inFlight
            self.payload = payload
        }
    }

    /// The brokers, at least one, in the order in which they are asked.
    ///
    /// They hold the same messages: one is as good as the other.
    public var servers: [Server]
    /// Which protocol version to speak.
    public var version: Version
    /// The client id; two clients with one id disconnect each other.
    public var clientID: String
    /// What the client id starts with if the rest is random; nil for an id that somebody chose.
    ///
    /// If another client seems to have a random id, the next connection uses another one, without a pause.
    public var clientIDPrefix: String?
    /// The user's name, if the broker requires one.
    public var username: String?
    /// The password, if the broker requires one.
    public var password: Secret?
    /// After how long a silence to ask whether the other side still lives; at least 5 s, whole seconds.
    public var keepAlive: Duration
    /// How long one address may take from connecting to being accepted.
    public var connectTimeout: Duration
    /// How to secure the connection; nil means not at all.
    public var tls: TLS?
    /// What the broker publishes for us if we vanish.
    public var will: Will?
    /// How much may wait.
    public var limits: Limits
    /// Whether the kernel is asked to acknowledge at once what arrives: without that, what a broker sends next may
    /// wait up to 40 ms, as it does for most other clients.
    public var acknowledgesAtOnce = true
    /// What a person does who finds in the log that there is no connection: the end of that line; nil for nothing.
    public var advice: String?

    /// Describes a connection; only the client id has no default.
    public init(
        host: String = "localhost", port: UInt16? = nil, version: Version = .auto, clientID: String,
        username: String? = nil, password: Secret? = nil, keepAlive: Duration = .seconds(15),
        connectTimeout: Duration = .seconds(10), tls: TLS? = nil, will: Will? = nil, limits: Limits = Limits()
    ) {
        servers = [Server(host: host, port: port)]
        self.version = version
        self.clientID = clientID
        self.username = username
        self.password = password
        self.keepAlive = keepAlive
        self.connectTimeout = connectTimeout
        self.tls = tls
        self.will = will
        self.limits = limits
    }
}
