package import BridgeConfiguration

/// Checks by a request's headers whether the console's page sent it, and determines its network path.
package struct Entrance: Sendable {
    /// The header in which a trusted proxy names the user.
    package static let userHeader = "x-forwarded-user"

    private let settings: ConsoleSettings

    package init(_ settings: ConsoleSettings) { self.settings = settings }

    /// Returns the problem with the request's header `Host`; nil if there is none.
    ///
    /// This check rejects pages under a different name that resolves to the console's address (DNS rebinding).
    package func complaint(host request: Request) -> String? {
        guard let host = request.headers["host"], !host.isEmpty else { return "the header Host is missing" }
        if isAllowed(host) { return nil }
        return "the host is not allowed: to allow it, add it to console.allowed_hosts"
    }

    /// Returns the problem with the request's header `Origin`, which names the page that sent it; nil if there is none.
    /// Required for all requests that change something.
    package func complaint(origin request: Request) -> String? {
        guard let origin = request.headers["origin"] else {
            let own = request.headers["host"] ?? settings.listen
            return "the header Origin is missing; allowed: http://\(own)"
        }
        for scheme in ["https://", "http://"] where origin.hasPrefix(scheme) {
            let authority = String(origin.dropFirst(scheme.count)).lowercased()
            if authority == request.headers["host"]?.lowercased(), isAllowed(authority) { return nil }
            // An allowed host name is accepted even if it differs from the header `Host`, because a proxy may replace
            // that header.
            if settings.allowedHosts.contains(where: { $0.lowercased() == authority }) { return nil }
        }
        return "the request comes from another page than the console's"
    }

    private func isAllowed(_ authority: String) -> Bool {
        let authority = authority.lowercased()
        let name = Self.name(authority)
        if ["localhost", "127.0.0.1", "[::1]"].contains(name) { return true }
        if authority == settings.listen.lowercased() { return true }
        return settings.allowedHosts.contains { $0.lowercased() == authority || $0.lowercased() == name }
    }

    private static func name(_ authority: String) -> String {
        if authority.hasPrefix("[") {
            return authority.firstIndex(of: "]").map { String(authority[...$0]) } ?? authority
        }
        return String(authority.prefix { $0 != ":" })
    }

    /// Returns whether a trusted proxy sent the request, so that its headers are used.
    package func isProxy(_ request: Request) -> Bool {
        settings.trustedProxies.contains(request.peer ?? "unix")
    }

    /// Returns the user's name from a trusted proxy; nil for another sender.
    package func proxyUser(_ request: Request) -> String? {
        guard isProxy(request), let user = request.headers[Self.userHeader],
            (1...256).contains(user.utf8.count)
        else { return nil }
        return user
    }

    /// Returns the network path of the request: whether it stays on this host or is encrypted.
    ///
    /// A trusted proxy must send both the scheme and the browser's address. Without these headers, the private
    /// connection to the proxy reveals nothing about the browser's connection.
    package func way(_ request: Request) -> ConsoleRoles.Way {
        if isProxy(request) {
            guard let scheme = request.headers["x-forwarded-proto"],
                let browser = request.headers["x-forwarded-for"], browser.contains(where: { $0 != " " })
            else { return ConsoleRoles.Way(isPrivate: false) }
            // Each proxy appends its client's address; all of them must be on this host.
            let isHere = browser.split(separator: ",", omittingEmptySubsequences: false).allSatisfy {
                Self.isLoopback($0.drop { $0 == " " })
            }
            return ConsoleRoles.Way(isPrivate: scheme == "https" || isHere)
        }
        // A request that an untrusted proxy has forwarded may come from anywhere, so it does not count as sent on this
        // host.
        let isForwarded = ["x-forwarded-for", "forwarded", "via"].contains { request.headers[$0] != nil }
        return ConsoleRoles.Way(
            isPrivate: !isForwarded && request.peer.map { Self.isLoopback($0[...]) } ?? true)
    }

    /// Whether the browser used TLS to a trusted proxy.
    package func isEncrypted(_ request: Request) -> Bool {
        isProxy(request) && request.headers["x-forwarded-proto"] == "https"
    }

    /// Returns the address of the browser; nil if unknown. It is used to count failed logins and connections.
    package func client(_ request: Request) -> String? {
        guard isProxy(request), let list = request.headers["x-forwarded-for"] else { return request.peer }
        return list.split(separator: ",").last.map { String($0.drop { $0 == " " }) } ?? request.peer
    }

    /// Whether a text is an IPv4 or IPv6 loopback address.
    private static func isLoopback(_ text: Substring) -> Bool {
        if text == "::1" { return true }
        let address = text.hasPrefix("::ffff:") ? text.dropFirst("::ffff:".count) : text
        let parts = address.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127"
            && parts.allSatisfy { UInt8($0) != nil && $0.utf8.allSatisfy { $0 != UInt8(ascii: "+") } }
    }
}
