extension Configuration {
    /// One of the brokers that hold the same messages: where it is, and by what name it is known.
    public struct Server: Sendable, Hashable {
        /// A host name, an address, or the path of a Unix socket (it begins with `/`).
        public var host: String
        /// The TCP port; nil means 1883, or 8883 with TLS. Without meaning for a Unix socket.
        public var port: UInt16?
        /// The name that its certificate must hold, and that TLS asks for; nil means `host`.
        public var name: String?

        /// Describes a broker.
        public init(host: String, port: UInt16? = nil, name: String? = nil) {
            self.host = host
            self.port = port
            self.name = name
        }

        /// Whether the host is the path of a Unix socket.
        public var isUnixSocket: Bool { host.hasPrefix("/") }

        /// Whether it is on this host, where asking again costs nothing.
        var isLocal: Bool {
            isUnixSocket || host == "localhost" || Address(host: host, port: 1).isLocal
        }

        /// The broker in words: `localhost:1883`, `[::1]:1883` or `/run/mosquitto.sock`.
        ///
        /// - Parameter port: The port where none is given.
        func description(port fallback: UInt16) -> String {
            if isUnixSocket { return host }
            return host.contains(":") ? "[\(host)]:\(port ?? fallback)" : "\(host):\(port ?? fallback)"
        }
    }

    /// The host of the first broker: a host name, an address, or the path of a Unix socket.
    public var host: String {
        get { servers[0].host }
        set { servers[0].host = newValue }
    }

    /// The port of the first broker; nil means 1883, or 8883 with TLS.
    public var port: UInt16? {
        get { servers[0].port }
        set { servers[0].port = newValue }
    }

    /// Whether the first broker is reached over a Unix socket.
    public var isUnixSocket: Bool { servers[0].isUnixSocket }

    /// The port of the first broker that is really used; 0 for a Unix socket.
    public var effectivePort: UInt16 { isUnixSocket ? 0 : port ?? usualPort }

    /// The brokers in words: `localhost:1883`, `[::1]:1883`, `/run/mosquitto.sock` or `a:1883, b:1883`.
    public var brokerDescription: String {
        servers.map { $0.description(port: usualPort) }.joined(separator: ", ")
    }

    /// The name that the certificate of the first broker must hold.
    var serverName: String { servers[0].name ?? host }

    /// The same with one of the brokers only.
    public func only(_ server: Server) -> Configuration {
        var configuration = self
        configuration.servers = [server]
        return configuration
    }

    private var usualPort: UInt16 { tls == nil ? 1883 : 8883 }
}
