extension Configuration {
    /// The location and TLS name of one of several brokers that hold the same messages.
    public struct Server: Sendable, Hashable {
        /// A host name, an address, or the path of a Unix socket, which starts with `/`.
        public var host: String
        /// The TCP port; nil means 1883, or 8883 with TLS. Ignored for a Unix socket.
        public var port: UInt16?
        /// The name that the TLS handshake requests (SNI) and that the certificate must contain; nil means `host`.
        public var name: String?

        /// Creates a broker's location.
        public init(host: String, port: UInt16? = nil, name: String? = nil) {
            self.host = host
            self.port = port
            self.name = name
        }

        /// Whether the host is the path of a Unix socket.
        public var isUnixSocket: Bool { host.hasPrefix("/") }

        /// Whether the broker is on this host, where retries cost nothing.
        var isLocal: Bool {
            isUnixSocket || host == "localhost" || Address(host: host, port: 1).isLocal
        }

        /// The broker as text: `localhost:1883`, `[::1]:1883` or `/run/mosquitto.sock`.
        ///
        /// - Parameter port: The port to use if none is set.
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

    /// Whether the first broker is connected over a Unix socket.
    public var isUnixSocket: Bool { servers[0].isUnixSocket }

    /// The port of the first broker, including the default; 0 for a Unix socket.
    public var effectivePort: UInt16 { isUnixSocket ? 0 : port ?? usualPort }

    /// The brokers as text: `localhost:1883`, `[::1]:1883`, `/run/mosquitto.sock` or `a:1883, b:1883`.
    public var brokerDescription: String {
        servers.map { $0.description(port: usualPort) }.joined(separator: ", ")
    }

    /// The name that the certificate of the first broker must contain.
    var serverName: String { servers[0].name ?? host }

    /// Returns a copy of the configuration with only this broker.
    public func only(_ server: Server) -> Configuration {
        var configuration = self
        configuration.servers = [server]
        return configuration
    }

    private var usualPort: UInt16 { tls == nil ? 1883 : 8883 }
}
