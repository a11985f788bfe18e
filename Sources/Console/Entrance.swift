package import BridgeConfiguration

/// Decides by its headers whether a request comes from the console's own page, and what way it came.
package struct Entrance: Sendable {
    /// The header in which a trusted proxy names the user.
    package static let userHeader = "x-forwarded-user"

    private let settings: ConsoleSettings

    package init(_ settings: ConsoleSettings) { self.settings = settings }

    /// What is wrong with the host that the browser asked for; nil if nothing.
    ///
    /// A page whose name was made to point here is refused by it.
    package func complaint(host request: Request) -> String? {
        guard let host = request.headers["host"], !host.isEmpty else { return "no host is named" }
        if isAllowed(host) { return nil }
        return "the host is not one of the console's: to allow it, name it in console.allowed_hosts"
    }

    /// What is wrong with the page that sent the request; nil if nothing. For all that changes something.
    package func complaint(origin request: Request) -> String? {
        guard let origin = request.headers["origin"] else {
            let own = request.headers["host"] ?? settings.listen
            return "the header Origin is missing; allowed: http://\(own)"
        }
        for scheme in ["https://", "http://"] where origin.hasPrefix(scheme) {
            let authority = String(origin.dropFirst(scheme.count)).lowercased()
            if authority == request.headers["host"]?.lowercased(), isAllowed(authority) { return nil }
            // A proxy may have named another host to the console than the browser named to it.
            if settings.allowedHosts.contains(where: { $0.lowercased() == authority }) { return nil }
        }
        return "another page than the console's own asks for it"
    }

    private func isAllowed(_ authority: String) -> Bool {
        let authority = authority.lowercased()
        let name = Self.name(authority)
        if ["localhost", "127.0.0.1", "[::1]"].contains(name) { return true }
        if authority == settings.listen.lowercased() { return true }
        return settings.allowedHosts.contains { $0.lowercased() == authority || $0.lowercased() == name }
    }

    /// An authority without its port.
    private static func name(_ authority: String) -> String {
        if authority.hasPrefix("[") {
            return authority.firstIndex(of: "]").map { String(authority[...$0]) } ?? authority
        }
        return String(authority.prefix { $0 != ":" })
    }

    /// Whether what a proxy says in headers is believed.
    package func isProxy(_ request: Request) -> Bool {
        settings.trustedProxies.contains(request.peer ?? "unix")
    }

    /// The user whom a trusted proxy names.
    package func proxyUser(_ request: Request) -> String? {
        guard isProxy(request), let user = request.headers[Self.userHeader],
            (1...256).contains(user.utf8.count)
        else { return nil }
        return user
    }

    /// How the request came: privately on this host, or encrypted.
    ///
    /// A trusted proxy must state both the scheme and the browser's address. Without them its own connection, which is
    /// private, tells nothing about the browser's.
    package func way(_ request: Request) -> ConsoleRoles.Way {
        if isProxy(request) {
            guard let scheme = request.headers["x-forwarded-proto"],
                let browser = request.headers["x-forwarded-for"], browser.contains(where: { $0 != " " })
            else { return ConsoleRoles.Way(isPrivate: false) }
            // Each proxy adds the address that it was called from: all of them have to be on this host.
            let isHere = browser.split(separator: ",", omittingEmptySubsequences: false).allSatisfy {
                Self.isLoopback($0.drop { $0 == " " })
            }
            return ConsoleRoles.Way(isPrivate: scheme == "https" || isHere)
        }
        // A proxy that is not trusted may have brought it from anywhere.
        let isForwarded = ["x-forwarded-for", "forwarded", "via"].contains { request.headers[$0] != nil }
        return ConsoleRoles.Way(
            isPrivate: !isForwarded && request.peer.map { Self.isLoopback($0[...]) } ?? true)
    }

    /// Whether the browser spoke TLS to a trusted proxy.
    package func isEncrypted(_ request: Request) -> Bool {
        isProxy(request) && request.headers["x-forwarded-proto"] == "https"
    }

    /// The address of the browser, as far as it can be known: what failed logins and
    /// connections are counted by.
    package func client(_ request: Request) -> String? {
        guard isProxy(request), let list = request.headers["x-forwarded-for"] else { return request.peer }
        return list.split(separator: ",").last.map { String($0.drop { $0 == " " }) } ?? request.peer
    }

    /// Whether a text is a loopback address, of IPv4 or IPv6.
    private static func isLoopback(_ text: Substring) -> Bool {
        if text == "::1" { return true }
        let address = text.hasPrefix("::ffff:") ? text.dropFirst("::ffff:".count) : text
        let parts = address.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127"
            && parts.allSatisfy { UInt8($0) != nil && $0.utf8.allSatisfy { $0 != UInt8(ascii: "+") } }
    }
}
