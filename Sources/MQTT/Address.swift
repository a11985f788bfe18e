/// An address of the broker: a numeric address with its port, or the path of a Unix socket.
struct Address: Hashable, Sendable {
    /// `127.0.0.1`, `::1`, `fe80::1%eth0` or a path.
    let host: String
    /// The TCP port; 0 means that `host` is a path.
    let port: UInt16

    /// Whether the broker is on this host. Retries of a local connection cost almost nothing, so their delays are
    /// short.
    var isLocal: Bool { port == 0 || host.hasPrefix("127.") || host == "::1" }

    var description: String {
        if port == 0 { return host }
        return host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}
