import BridgeConfiguration
import Console
import Reference
import Testing

@Suite("The origin and the network path of requests")
struct EntranceTests {
    private static let settings = ConsoleSettings(
        allowedHosts: ["console.example", "other.example:8443"], trustedProxies: ["10.0.0.1", "unix"])

    private func request(_ headers: [String: String], peer: String? = "127.0.0.1") -> Request {
        Request("GET", "/?x", headers: headers, peer: peer)
    }

    @Test(
        "A host that is not the console's is rejected, because its name may resolve to the console's address",
        arguments: [
            ("127.0.0.1:9480", true), ("localhost:1234", true), ("[::1]:9480", true),
            ("console.example", true),
            ("Console.Example:80", true), ("other.example:8443", true), ("other.example", false),
            ("evil.example:9480", false), ("127.0.0.1.evil.example", false), ("", false),
        ])
    func host(_ host: String, _ isAllowed: Bool) {
        let entrance = Entrance(Self.settings)
        #expect((entrance.complaint(host: request(["host": host])) == nil) == isAllowed)
    }

    @Test(
        "An origin must exist and be the console's page",
        arguments: [
            ("http://127.0.0.1:9480", "127.0.0.1:9480", true),
            ("http://127.0.0.1:3000", "127.0.0.1:9480", false),
            ("https://console.example", "console.example", true),
            ("https://console.example", "127.0.0.1:9480", true),
            ("http://evil.example", "evil.example", false), ("http://evil.example", "127.0.0.1:9480", false),
            ("null", "127.0.0.1:9480", false), ("", "127.0.0.1:9480", false),
            ("file://127.0.0.1:9480", "127.0.0.1:9480", false),
        ])
    func origin(_ origin: String, _ host: String, _ isAllowed: Bool) {
        let entrance = Entrance(Self.settings)
        #expect((entrance.complaint(origin: request(["host": host, "origin": origin])) == nil) == isAllowed)
    }

    @Test("A request without an origin is rejected")
    func noOrigin() {
        #expect(
            Entrance(Self.settings).complaint(origin: request(["host": "127.0.0.1:9480"]))
                == "the header Origin is missing; allowed: http://127.0.0.1:9480")
    }

    @Test(
        "A driver needs a private network path, unless the configuration is insecure",
        arguments: [
            ("127.0.0.1", [:], true), ("::1", [:], true), ("192.168.1.7", [:], false),
            // An untrusted proxy may have forwarded the request from anywhere.
            ("127.0.0.1", ["x-forwarded-for": "192.168.1.7"], false),
            ("192.168.1.7", ["x-forwarded-proto": "https"], false),
            ("10.0.0.1", ["x-forwarded-proto": "https", "x-forwarded-for": "1.2.3.4"], true),
            ("10.0.0.1", ["x-forwarded-proto": "http", "x-forwarded-for": "1.2.3.4"], false),
            ("10.0.0.1", ["x-forwarded-proto": "http", "x-forwarded-for": "127.0.0.1"], true),
            (nil, ["x-forwarded-proto": "https", "x-forwarded-for": "1.2.3.4"], true),
            // A trusted proxy without both headers may have forwarded the request from anywhere.
            (nil, ["x-forwarded-user": "anna"], false), ("10.0.0.1", ["x-forwarded-user": "anna"], false),
            // Each proxy of a chain adds an address.
            ("10.0.0.1", ["x-forwarded-proto": "http", "x-forwarded-for": "8.8.8.8, 127.0.0.1"], false),
            ("10.0.0.1", ["x-forwarded-proto": "http", "x-forwarded-for": "127.0.0.1, 8.8.8.8"], false),
            ("10.0.0.1", ["x-forwarded-proto": "http", "x-forwarded-for": "127.0.0.1,"], false),
            ("10.0.0.1", ["x-forwarded-proto": "http", "x-forwarded-for": "::1, 127.0.0.9"], true),
            ("10.0.0.1", ["x-forwarded-proto": "http", "x-forwarded-for": "::ffff:127.0.0.1"], true),
            ("10.0.0.1", ["x-forwarded-proto": "http", "x-forwarded-for": "127.evil.com"], false),
            ("10.0.0.1", ["x-forwarded-proto": "http", "x-forwarded-for": "127.0.0.1.evil.com"], false),
            ("10.0.0.1", ["x-forwarded-proto": "http", "x-forwarded-for": "127.0.0.256"], false),
            ("10.0.0.1", ["x-forwarded-proto": "http", "x-forwarded-for": "::ffff:8.8.8.8"], false),
            (nil, ["x-forwarded-proto": "https"], false), (nil, ["x-forwarded-for": "127.0.0.1"], false),
            (nil, ["x-forwarded-proto": "https", "x-forwarded-for": " "], false), (nil, [:], false),
            (nil, ["x-forwarded-proto": "https,http", "x-forwarded-for": "1.2.3.4"], false),
        ] as [(String?, [String: String], Bool)])
    func way(_ peer: String?, _ headers: [String: String], _ isPrivate: Bool) {
        var settings = Self.settings
        settings.roles = ["*": ["driver", "viewer"]]
        let way = Entrance(settings).way(request(headers, peer: peer))
        #expect(way.isPrivate == isPrivate)
        #expect(ConsoleRoles(settings).roles(of: nil, over: way).contains(.driver) == isPrivate)
        settings.isInsecure = true
        #expect(ConsoleRoles(settings).roles(of: nil, over: way).contains(.driver))
    }

    @Test("A user in a header is accepted only from a trusted proxy")
    func proxy() {
        let entrance = Entrance(Self.settings)
        let headers = ["x-forwarded-user": "anna"]
        #expect(entrance.proxyUser(request(headers, peer: "10.0.0.1")) == "anna")
        #expect(entrance.proxyUser(request(headers, peer: nil)) == "anna")
        #expect(entrance.proxyUser(request(headers, peer: "10.0.0.2")) == nil)
        #expect(entrance.proxyUser(request([:], peer: "10.0.0.1")) == nil)
    }

    @Test("Roles are by name; by default everyone is viewer and operator, and no one is driver or typist")
    func roles() {
        let way = ConsoleRoles.Way(isPrivate: true)
        #expect(ConsoleRoles(ConsoleSettings()).roles(of: "anna", over: way) == [.viewer, .operator])
        let named = ConsoleRoles(ConsoleSettings(roles: ["*": ["viewer"], "anna": ["driver", "typist"]]))
        #expect(named.roles(of: "anna", over: way) == [.viewer, .driver, .typist])
        #expect(
            named.roles(of: "ben", over: way) == [.viewer] && named.roles(of: nil, over: way) == [.viewer])
        #expect(named.roles(of: "*", over: way) == [.viewer])
    }

    @Test("Five failed logins block their address for a minute, and no other address")
    func guesses() {
        var guesses = LoginGuard()
        for second in 0..<5 {
            #expect(guesses.admits("a", at: .seconds(second)) == true)
            guesses.fail("a", at: .seconds(second))
        }
        #expect(!guesses.admits("a", at: .seconds(59)) && guesses.admits("b", at: .seconds(59)))
        #expect(guesses.admits("a", at: .seconds(60)) == true)
        for number in 0..<100 { guesses.fail("c\(number)", at: .seconds(70)) }
        #expect(guesses.admits("d", at: .seconds(71)) == false)
    }

    @Test(
        "A path is a file of the page's folder, or invalid",
        arguments: [
            ("/", "index.html"), ("/app.js", "app.js"), ("/lang/de.json", "lang/de.json"),
            ("/../etc/passwd.txt", nil),
            ("/.git/x.js", nil), ("/a//b.js", nil), ("/%2e%2e/x.js", nil), ("/x.sh", nil), ("x.js", nil),
            ("/lang/", nil),
        ] as [(String, String?)])
    func files(_ path: String, _ name: String?) {
        #expect(PageFiles.file(path)?.name == name)
    }

    @Test(
        "A file with a hash in its name is kept; others are asked for again; compression is the browser's choice"
    )
    func delivery() {
        #expect(PageFiles.caching("main-F7BT2N2M.js").contains("immutable"))
        #expect(
            ["index.html", "js/main.js", "main-f7bt2n2m.js", "a-b.js"].allSatisfy {
                PageFiles.caching($0) == "no-cache"
            })
        func accepts(_ codings: String) -> Bool {
            Request("GET", "/", headers: ["accept-encoding": codings], peer: nil).acceptsGzip
        }
        #expect(accepts("gzip, deflate, br") && accepts("br, gzip;q=0.5") && accepts("br,gzip"))
        #expect(!accepts("") && !accepts("br") && !accepts("gzip;q=0, br"))
    }
}
