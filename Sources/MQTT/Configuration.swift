/// The configuration of a client: brokers, credentials, TLS and limits.
public struct Configuration: Sendable, Hashable {
    /// The protocol version to use.
    public enum Version: String, Sendable, Hashable, CaseIterable {
        /// Version 5 if the broker supports it, otherwise 3.1.1.
        case auto
        /// Only version 5.
        case v5 = "5"
        /// Only version 3.1.1.
        case v311 = "3.1.1"
    }

    /// The TLS settings of a connection.
    public struct TLS: Sendable, Hashable {
        /// A file of CA certificates in PEM; nil for the system's trust store.
        public var caFile: String?
        /// The client's certificate with its chain, in PEM.
        public var certificateFile: String?
        /// The key of the client's certificate, in PEM, without a password.
        public var keyFile: String?
        /// Whether any broker certificate is accepted, from any authority and for any host; only for tests.
        public var insecure: Bool

        /// Creates TLS settings; the defaults are the system's trust store and no client certificate.
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

    /// The last will, which the broker publishes if the client disappears without a DISCONNECT.
    public struct Will: Sendable, Hashable {
        /// The topic name.
        public var topic: String
        /// The payload.
        public var payload: [UInt8]
        /// The quality of service: 0, 1 or 2.
        public var qos: Int
        /// Whether the last will becomes the topic's retained message.
        public var retain: Bool

        /// Creates a last will.
        public init(topic: String, payload: [UInt8], qos: Int = 1, retain: Bool = true) {
            self.topic = topic
            self.payload = payload
            self.qos = qos
            self.retain = retain
        }
    }

    /// The limits of the queues, and of incoming messages.
    public struct Limits: Sendable, Hashable {
        /// The maximum number of waiting events and replies. Above this limit, the oldest message of the sender with
        /// the most waiting messages (see `share` of ``OutgoingMessage``) is dropped, counted and reported.
        public var events: Int
        /// The maximum number of additional urgent events and replies. Above this limit, new urgent messages are
        /// rejected.
        public var urgent: Int
        /// The maximum number of waiting stream messages. Above this limit, the oldest stream message is dropped and
        /// counted.
        public var streams: Int
        /// The maximum number of unacknowledged QoS 1 messages; the broker may allow fewer.
        ///
        /// libmosquitto iterates over all of them at every acknowledgement, so a higher number is not faster.
        public var inFlight: Int
        /// The maximum payload of an incoming message in bytes; of a longer message only the size is reported.
        ///
        /// libmosquitto holds two copies of a message during delivery, so a copy here would be the third. The client
        /// does not set MQTT 5's Maximum Packet Size: the broker would drop longer messages silently, including a
        /// `stop` command.
        public var payload: Int

        /// Creates limits; the defaults suit a bridge.
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

    /// The brokers, at least one, in the order of attempts.
    ///
    /// All of them must hold the same messages.
    public var servers: [Server]
    /// The protocol version to use.
    public var version: Version
    /// The client id; two clients with the same id disconnect each other.
    public var clientID: String
    /// The readable start of a client id with a random end; nil for an id set by the user.
    ///
    /// If another client seems to use the same random id, the next connection uses a new random id, without a delay.
    public var clientIDPrefix: String?
    /// The user name, if the broker requires one.
    public var username: String?
    /// The password, if the broker requires one. A new password replaces ``passwordFile``.
    public var password: Secret? { didSet { passwordFile = nil } }
    /// A file with the password, which each connection attempt reads again; nil to use ``password``.
    public var passwordFile: String?
    /// The keep-alive interval: at least 5 s, in whole seconds.
    public var keepAlive: Duration
    /// The maximum time for one address, from connecting to the broker's acceptance.
    public var connectTimeout: Duration
    /// The TLS settings; nil for a connection without TLS.
    public var tls: TLS?
    /// The last will, which the broker publishes if the client disappears.
    public var will: Will?
    /// The limits of the queues.
    public var limits: Limits
    /// Whether the kernel acknowledges received data immediately. Without immediate acknowledgements, the broker's next
    /// message may wait up to 40 ms, as with most other clients.
    public var acknowledgesAtOnce = true
    /// Advice for the user at the end of the log line about a missing connection; nil for none.
    public var advice: String?

    /// Creates a configuration; only the client id has no default.
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
