import Testing

@testable import HostServices
@testable import MetricsEndpoint

@Suite("Valid and invalid HTTP requests")
struct HTTPRequestTests {
    private func read(_ text: String) -> HTTPRequest.Progress { HTTPRequest.read(Array(text.utf8)) }

    @Test(
        "Requests of common clients are accepted",
        arguments: [
            ("GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n", "GET", "/metrics"),
            ("GET /metrics HTTP/1.0\r\n\r\n", "GET", "/metrics"),
            ("HEAD /metrics?x=1 HTTP/1.1\r\nhost: a:9402\r\nAccept: */*\r\n\r\n", "HEAD", "/metrics"),
            ("\r\nGET http://a:9402/metrics HTTP/1.1\nHost: a\n\n", "GET", "/metrics"),
            ("GET http://a HTTP/1.1\r\nHost: a\r\n\r\n", "GET", "/"),
            ("POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc", "POST", "/x"),
        ])
    func requests(_ text: String, _ method: String, _ path: String) {
        #expect(read(text) == .complete(HTTPRequest(method: method, path: path)))
    }

    @Test("A request in any parts is incomplete before its last byte and complete after it")
    func pieces() {
        let text = "GET /metrics HTTP/1.1\r\nHost: a\r\nAccept: text/plain\r\n\r\n"
        for count in 0..<text.utf8.count {
            #expect(HTTPRequest.read(Array(text.utf8.prefix(count))) == .incomplete, "\(count) bytes")
        }
        #expect(read(text) != .incomplete)
    }

    @Test(
        "An invalid request is rejected with the matching status",
        arguments: [
            ("\u{16}\u{3}\u{1}\u{2}", .badRequest), ("\u{0}", .badRequest),
            ("GET\r\n\r\n", .badRequest), ("GET /metrics\r\n\r\n", .badRequest),
            ("GET  /metrics HTTP/1.1\r\nHost: a\r\n\r\n", .badRequest),
            ("GET metrics HTTP/1.1\r\nHost: a\r\n\r\n", .badRequest),
            ("GET /metrics HTTP/1.1\r\n\r\n", .badRequest),
            ("GET /metrics HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", .badRequest),
            ("GET /metrics HTTP/1.1\r\nHost: a\r\n folded\r\n\r\n", .badRequest),
            ("GET /metrics HTTP/1.1\r\nHost : a\r\n\r\n", .badRequest),
            ("GET /metrics HTTP/1.1\r\nHost: a\r\nnothing\r\n\r\n", .badRequest),
            ("GET /metrics FTP/1.1\r\nHost: a\r\n\r\n", .badRequest),
            ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", .versionNotSupported),
        ] as [(String, HTTPStatus)])
    func garbage(_ text: String, _ status: HTTPStatus) {
        #expect(read(text) == .refused(status))
    }

    @Test("A head of 8 kB is accepted, a longer one is rejected, whether it has lines or not")
    func size() {
        let start = "GET /metrics HTTP/1.1\r\nHost: a\r\nX: "
        let room = HTTPRequest.maximumSize - start.utf8.count - 4
        #expect(read(start + String(repeating: "x", count: room) + "\r\n\r\n") != .refused(.headTooLarge))
        #expect(read(start + String(repeating: "x", count: room + 1) + "\r\n\r\n") == .refused(.headTooLarge))
        #expect(read(start + String(repeating: "x", count: 9000)) == .refused(.headTooLarge))
        #expect(
            read(start + "\r\n" + String(repeating: "Y: y\r\n", count: 2000)) == .refused(.headTooLarge))
    }

    @Test("A response has its length, its type and its date; for HEAD it has everything except the text")
    func answers() {
        var response = HTTPResponse(.notFound, "gone")
        let lines = String(decoding: response.bytes, as: UTF8.self).split(
            separator: "\r\n", omittingEmptySubsequences: false)
        #expect(lines.first == "HTTP/1.1 404 Not Found")
        #expect(lines.contains("Content-Length: 5"))
        #expect(lines.contains("Connection: close"))
        #expect(lines.suffix(2) == ["", "gone\n"])
        #expect(lines.contains { $0.hasPrefix("Date: ") && $0.hasSuffix(" GMT") })
        response.isHeadOnly = true
        #expect(String(decoding: response.bytes, as: UTF8.self).hasSuffix("Connection: close\r\n\r\n"))
    }

    @Test(
        "Valid addresses to listen on are parsed",
        arguments: [
            ("127.0.0.1:9402", true), ("localhost:9402", true), ("[::1]:9402", true), ("127.1.2.3:1", true),
            ("/run/tactile-bridge/metrics.sock", true), ("0.0.0.0:9402", false), ("[::]:9402", false),
            ("192.168.1.5:65535", false),
        ])
    func address(_ text: String, _ isLoopback: Bool) throws {
        #expect(try #require(ListenAddress(text)).isLoopback == isLoopback)
    }

    @Test(
        "Invalid addresses are rejected",
        arguments: [
            "", "9402", ":9402", "127.0.0.1", "127.0.0.1:", "127.0.0.1:0", "127.0.0.1:65536",
            "127.0.0.1:http",
            "::1:9402", "[::1]", "[127.0.0.1]:9402", "example.org:9402", "1:9402", "127.0.0.1:+9402",
            "/" + String(repeating: "x", count: 108), "metrics.sock",
        ])
    func noAddress(_ text: String) {
        #expect(ListenAddress(text) == nil)
    }
}
