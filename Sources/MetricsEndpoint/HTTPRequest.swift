/// The head of an HTTP/1 request (RFC 9112), reduced to the parts that a server of a few pages needs.
struct HTTPRequest: Hashable, Sendable {
    /// The result of parsing the received bytes.
    enum Progress: Hashable, Sendable {
        /// The head of the request is incomplete.
        case incomplete
        case complete(HTTPRequest)
        /// An invalid request, with the status for the response.
        case refused(HTTPStatus)
    }

    /// The method: `GET`, `HEAD`, …
    var method: String
    /// The requested path, without a query.
    var path: String

    /// The maximum size of the head, in bytes.
    static let maximumSize = 8192

    /// Parses all bytes that were received since the start of the connection.
    static func read(_ bytes: [UInt8]) -> Progress {
        // Empty lines before a request are ignored (RFC 9112, section 2.2).
        let bytes = bytes.drop { $0 == lineFeed || $0 == carriageReturn }
        // A client that uses another protocol, such as TLS, is rejected immediately. Otherwise it would wait until the
        // time limit.
        guard bytes.prefix(while: { $0 != space }).allSatisfy(isToken) else { return .refused(.badRequest) }
        var lines: [ArraySlice<UInt8>] = []
        var rest = bytes
        while let end = rest.firstIndex(of: lineFeed) {
            let line = rest[..<end]
            rest = rest[(end + 1)...]
            guard bytes.count - rest.count <= maximumSize else { break }
            lines.append(line.last == carriageReturn ? line.dropLast() : line)
            if lines.last?.isEmpty == true { return head(lines.dropLast()) }
        }
        return bytes.count > maximumSize ? .refused(.headTooLarge) : .incomplete
    }

    private static func head(_ lines: ArraySlice<ArraySlice<UInt8>>) -> Progress {
        let words = (lines.first ?? []).split(separator: space, omittingEmptySubsequences: false)
        guard words.count == 3, !words[0].isEmpty, words[0].allSatisfy(isToken) else {
            return .refused(.badRequest)
        }
        let version = String(decoding: words[2], as: UTF8.self)
        guard ["HTTP/1.0", "HTTP/1.1"].contains(version) else {
            return .refused(version.hasPrefix("HTTP/") ? .versionNotSupported : .badRequest)
        }
        var hosts = 0
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
                line[..<colon].allSatisfy(isToken)
            else { return .refused(.badRequest) }
            if String(decoding: line[..<colon], as: UTF8.self).lowercased() == "host" { hosts += 1 }
        }
        guard hosts == 1 || version == "HTTP/1.0" && hosts == 0, let path = path(of: words[1]) else {
            return .refused(.badRequest)
        }
        return .complete(HTTPRequest(method: String(decoding: words[0], as: UTF8.self), path: path))
    }

    /// Returns the path of a request target, which can be a path or a URL: `/metrics?x=1`, `http://host:9402/metrics`.
    private static func path(of target: ArraySlice<UInt8>) -> String? {
        guard var text = String(validating: target, as: UTF8.self) else { return nil }
        for scheme in ["http://", "https://"] where text.lowercased().hasPrefix(scheme) {
            text = String(text.dropFirst(scheme.count).drop { $0 != "/" })
            if text.isEmpty { text = "/" }
        }
        guard text.hasPrefix("/") else { return nil }
        return String(text.prefix { $0 != "?" })
    }

    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")
    private static let space = UInt8(ascii: " ")

    /// Whether a byte is allowed in the name of a method or a field (RFC 9110, section 5.6.2).
    private static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}
