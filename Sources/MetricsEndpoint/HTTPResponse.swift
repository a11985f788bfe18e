import Glibc

/// The status of a response (RFC 9110, section 15).
enum HTTPStatus: Int, Sendable {
    case ok = 200
    case badRequest = 400
    case notFound = 404
    case methodNotAllowed = 405
    case headTooLarge = 431
    case serviceUnavailable = 503
    case versionNotSupported = 505

    /// The reason phrase.
    var reason: String {
        switch self {
        case .ok: "OK"
        case .badRequest: "Bad Request"
        case .notFound: "Not Found"
        case .methodNotAllowed: "Method Not Allowed"
        case .headTooLarge: "Request Header Fields Too Large"
        case .serviceUnavailable: "Service Unavailable"
        case .versionNotSupported: "HTTP Version Not Supported"
        }
    }
}

/// A response, after which the connection is closed.
struct HTTPResponse: Sendable {
    var status: HTTPStatus
    /// The media type of the body.
    var type = "text/plain; charset=utf-8"
    var text: String
    /// Whether only the head is sent, because the request's method is `HEAD`.
    var isHeadOnly = false

    /// Creates a response with an error message.
    init(_ status: HTTPStatus, _ text: String) {
        self.status = status
        self.text = text + "\n"
    }

    var bytes: [UInt8] {
        var head = """
            HTTP/1.1 \(status.rawValue) \(status.reason)\r
            Date: \(Self.date)\r
            Content-Type: \(type)\r
            Content-Length: \(text.utf8.count)\r
            Connection: close\r

            """
        if status == .methodNotAllowed { head += "Allow: GET, HEAD\r\n" }
        return Array((head + "\r\n" + (isHeadOnly ? "" : text)).utf8)
    }

    /// The current time in the format of HTTP (RFC 9110, section 5.6.7).
    private static var date: String {
        var now = time(nil)
        var parts = tm()
        gmtime_r(&now, &parts)
        var buffer = [CChar](repeating: 0, count: 40)
        let count = strftime(&buffer, buffer.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)
        return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
