import EventLoop
import Foundation
import HostTesting
import JSON
import Testing

@Suite("The console behind a proxy, under a path", .serialized)
struct ConsoleProxyTests {
    private static let files = ["/", "/js/main.js", "/lang/en.json"]

    @Test("A client with a connection pool gets its WebSocket after it has requested files")
    func pooled() throws {
        let it = try ConsoleBench(Bench(), page: ConsoleBench.page)
        let page = try ConsolePage(port: it.port, cookie: try it.login(), pooled: Self.files)
        #expect(page.status == 101)
        try page.expect("hello") { $0["type"] == "hello" }
    }

    @Test(
        "With the example of the guide the page loads, logs in, watches and stops, all below its path",
        arguments: TestProxy.Kind.allCases.filter { $0.program != nil })
    func prefix(_ kind: TestProxy.Kind) throws {
        let it = try ConsoleBench(
            Bench(), console: "allowed_hosts: [the.site.example], trusted_proxies: [127.0.0.1]",
            page: ConsoleBench.page)
        let proxy = try TestProxy(kind, to: "127.0.0.1:\(it.port)")
        let moved = try ConsolePage.ask(proxy.port, "GET", "/console")
        #expect(moved.status == 308)
        #expect(moved.headers.lowercased().contains("location: ") && moved.headers.contains("/console/\r\n"))
        let page = try ConsolePage.ask(proxy.port, "GET", "/console/")
        #expect(page.status == 200)
        // The page references its files with relative paths, so all are below the path.
        let named = page.body.matches(of: /(?:href|src)="([^"]+)"/).map { String($0.1) }
        #expect(named.count >= 3 && named.allSatisfy { !$0.hasPrefix("/") }, "\(named)")
        for name in named {
            let file = try ConsolePage.ask(
                proxy.port, "GET", "/console/\(name)")
            #expect(file.status == 200, "\(name)")
        }
        // Outside the path the proxy does not forward to the console: nginx answers 404, Caddy sends an empty body.
        let beside = try ConsolePage.ask(proxy.port, "GET", "/js/main.js")
        #expect(beside.status == 404 || beside.body.isEmpty)

        let body = "{\"token\":\"\(try it.token())\"}"
        let login = try ConsolePage.ask(
            proxy.port, "POST", "/console/api/login", body: body)
        #expect(login.status == 204)
        let cookie = try #require(login.cookie)
        let socket = try ConsolePage(
            port: proxy.port, cookie: cookie, path: "/console/socket",
            pooled: Self.files.map { "/console\($0)" })
        #expect(socket.status == 101)
        try socket.expect("broker") { $0["type"] == "broker" && $0["connected"] == true }
        socket.send(["type": "watch", "filters": ["belt/#"]])
        try it.bench.publish("belt/mode", "app", ["-r"])
        #expect(try socket.expectMessage("belt/mode") == "app")
        let stop = try ConsolePage.ask(
            proxy.port, "POST", "/console/api/stop", headers: ["Cookie": cookie])
        #expect(stop.status == 204)
        try it.bench.watcher.expect("all/stop/set")
        // Behind a proxy the console rejects pages of other origins, too.
        for origin in ["http://evil.example", ""] {
            let refused = try ConsolePage(
                port: proxy.port, cookie: cookie, origin: origin, path: "/console/socket")
            #expect(refused.status == 403)
        }
    }

    @Test(
        "A proxy that keeps its connections to the console gets WebSockets over them too",
        .enabled("nginx is not installed") { TestProxy.Kind.nginx.program != nil })
    func upstreamPool() throws {
        let it = try ConsoleBench(
            Bench(), console: "allowed_hosts: [the.site.example], trusted_proxies: [127.0.0.1]",
            page: ConsoleBench.page)
        let proxy = try TestProxy(
            .nginx, to: "console", above: "upstream console { server 127.0.0.1:\(it.port); keepalive 4; }")
        let cookie = try it.login()
        for _ in 1...5 {
            let socket = try ConsolePage(
                port: proxy.port, cookie: cookie, path: "/console/socket",
                pooled: Self.files.map { "/console\($0)" })
            #expect(socket.status == 101)
        }
    }

    @Test(
        "Over a Unix socket the proxy names the user who logs in, and no other client can",
        .enabled("nginx is not installed") { TestProxy.Kind.nginx.program != nil })
    func named() throws {
        let bench = try Bench()
        let path = bench.folder.file("console.sock")
        let it = try ConsoleBench(
            bench,
            console:
                "login: proxy, trusted_proxies: [unix], roles: { \"*\": [viewer], anna: [operator, driver], ben: [operator] }",
            page: ConsoleBench.page, socket: path)
        let passwords = try bench.folder.write("anna:{PLAIN}secret\nben:{PLAIN}word\n", to: "passwords")
        let proxy = try TestProxy(
            .nginx, to: "unix:\(path):",
            more: "auth_basic console; auth_basic_user_file \(passwords);")
        func session(_ login: String?, _ name: String? = nil) throws -> (status: Int, said: JSON.Value?) {
            var headers = ["Connection": "close"]
            if let login { headers["Authorization"] = "Basic \(Data(login.utf8).base64EncodedString())" }
            if let name { headers["X-Forwarded-User"] = name }
            let answer = try ConsolePage.ask(proxy.port, "GET", "/console/api/session", headers: headers)
            return (answer.status, try? JSON.Value(parsing: answer.body.utf8))
        }
        #expect(try session(nil).status == 401)
        #expect(try session("anna:wrong").status == 401)
        let anna = try #require(try session("anna:secret").said)
        #expect(anna["user"] == "anna" && anna["roles"] == ["viewer", "operator", "driver"])
        // The console ignores the name in the browser's header and uses the name from the proxy.
        let ben = try #require(try session("ben:word", "anna").said)
        #expect(ben["user"] == "ben" && ben["roles"] == ["viewer", "operator"])
        _ = it
    }
}
