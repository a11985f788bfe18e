/// A request of a browser, read.
package struct Request: Hashable, Sendable {
    package var method: String
    /// Without what stands behind a `?`.
    package var path: String
    /// By their names in lower case; several of one name with a comma between them.
    package var headers: [String: String]
    package var body: [UInt8]
    /// The address that it came from; nil for a Unix socket.
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

    /// How many bytes its body may have, and in how many chunks they may come: only a stop's is not bounded by a login's.
    package var bodyLimits: (bytes: Int, chunks: Int) { isStop ? (64 << 10, 256) : (4 << 10, 64) }

    /// Whether it asks for a stop.
    package var isStop: Bool { method == "POST" && path == "/api/stop" }

    /// Whether it is a login.
    package var isLogin: Bool { method == "POST" && path == "/api/login" }

    /// The value of a cookie.
    package func cookie(_ name: String) -> String? {
        for part in (headers["cookie"] ?? "").split(whereSeparator: { $0 == ";" || $0 == "," }) {
            let trimmed = part.drop { $0 == " " }
            if trimmed.hasPrefix("\(name)=") { return String(trimmed.dropFirst(name.count + 1)) }
        }
        return nil
    }
}

/// What a browser is answered.
package struct Response: Hashable, Sendable {
    package var status: Int
    package var headers: [String: String]
    package var body: [UInt8]

    package init(_ status: Int, headers: [String: String] = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// A text for a person.
    package static func text(_ status: Int, _ text: String) -> Response {
        Response(
            status, headers: ["Content-Type": "text/plain; charset=utf-8"], body: Array("\(text)\n".utf8))
    }

    /// What every response says besides its own: the page asks no other origin, runs nothing that stands inline, and
    /// stands in no other page's frame; and the connection ends, so that the next begins with its first request.
    package static let commonHeaders: [(name: String, value: String)] = [
        ("Connection", "close"),
        (
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
                + "font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        ),
        ("X-Content-Type-Options", "nosniff"),
        ("X-Frame-Options", "DENY"),
        ("Referrer-Policy", "no-referrer"),
        ("Cross-Origin-Opener-Policy", "same-origin"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
        ("Permissions-Policy", "camera=(), microphone=(), geolocation=()"),
    ]
}
