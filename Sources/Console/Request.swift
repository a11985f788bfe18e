import BridgeConfiguration

/// A parsed request of a browser.
package struct Request: Hashable, Sendable {
    package var method: String
    package var path: String
    /// The values of the headers, by name in lower case. Values of the same name are joined with commas.
    package var headers: [String: String]
    package var body: [UInt8]
    /// The client's address; nil for a Unix socket.
    package var peer: String?

    package init(
        _ method: String, _ target: String, headers: [String: String] = [:], body: [UInt8] = [], peer: String?
    ) {
        self.method = method
        path = String(target.prefix { $0 != "?" })
        self.headers = headers
        self.body = body
        self.peer = peer
    }

    /// The maximum size of the request's body in bytes, and its maximum number of chunks. A stop has larger limits than
    /// a login.
    package var bodyLimits: (bytes: Int, chunks: Int) { isStop ? (64 << 10, 256) : (4 << 10, 64) }

    package var isStop: Bool { method == "POST" && path == "/api/stop" }

    /// Whether the browser accepts compressed files.
    package var acceptsGzip: Bool {
        (headers["accept-encoding"] ?? "").split(separator: ",").contains { coding in
            let parts = coding.split(separator: ";")
            return parts.first?.drop { $0 == " " } == "gzip"
                && !parts.dropFirst().contains { $0.hasSuffix("q=0") }
        }
    }

    package var isLogin: Bool { method == "POST" && path == "/api/login" }

    /// Returns the value of a cookie; nil if the request does not have it.
    package func cookie(_ name: String) -> String? {
        for part in (headers["cookie"] ?? "").split(whereSeparator: { $0 == ";" || $0 == "," }) {
            let trimmed = part.drop { $0 == " " }
            if trimmed.hasPrefix("\(name)=") { return String(trimmed.dropFirst(name.count + 1)) }
        }
        return nil
    }
}

/// An answer to a browser.
package struct Response: Hashable, Sendable {
    package var status: Int
    package var headers: [String: String]
    package var body: [UInt8]

    package init(_ status: Int, headers: [String: String] = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Returns a response with a text for users.
    package static func text(_ status: Int, _ text: String) -> Response {
        Response(
            status, headers: ["Content-Type": "text/plain; charset=utf-8"], body: Array("\(text)\n".utf8))
    }

    /// Returns the headers of every response. The page loads nothing from other origins and runs no inline scripts.
    /// The connection closes after each response.
    ///
    /// - Parameter frameAncestors: The pages that may show this page in a frame: origins, and `self` for the page's own
    ///   origin.
    package static func headers(frameAncestors: [String]) -> [(name: String, value: String)] {
        let sources = frameAncestors.map { $0 == ConsoleSettings.ownOrigin ? "'self'" : $0 }
        let ancestors = sources.isEmpty ? "'none'" : sources.joined(separator: " ")
        var headers = [
            ("Connection", "close"),
            (
                "Content-Security-Policy",
                "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
                    + "font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
                    + "frame-ancestors \(ancestors)"
            ),
            ("X-Content-Type-Options", "nosniff"),
            ("Referrer-Policy", "no-referrer"),
            ("Cross-Origin-Opener-Policy", "same-origin"),
            ("Cross-Origin-Resource-Policy", "same-origin"),
            ("Permissions-Policy", "camera=(), microphone=(), geolocation=()"),
        ]
        // The older header `X-Frame-Options` supports no list of origins, so it is sent only if no page may show this
        // page in a frame.
        if sources.isEmpty { headers.append(("X-Frame-Options", "DENY")) }
        return headers
    }
}
