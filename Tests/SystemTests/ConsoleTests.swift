import EventLoop
import Foundation
import Glibc
import HostTesting
import JSON
import Testing

@Suite("The console", .serialized)
struct ConsoleTests {
    @Test("The console admits the holder of the link, and serves requests of its own page only")
    func entrance() throws {
        let it = try ConsoleBench(Bench())
        let page = try ConsolePage.ask(it.port, "GET", "/")
        #expect(page.status == 200 && page.body.contains("the page"))
        #expect(page.headers.contains("Connection: close\r\n"))
        #expect(page.headers.contains("Content-Security-Policy: default-src 'none'; script-src 'self';"))
        #expect(try ConsolePage.ask(it.port, "GET", "/", headers: ["Host": "rebound.example"]).status == 403)
        #expect(try ConsolePage.ask(it.port, "GET", "/../console.yaml").status == 404)
        #expect(try ConsolePage.ask(it.port, "GET", "/api/stop").status == 404)

        let cookie = try it.login()
        #expect(try ConsolePage(port: it.port).status == 401)
        #expect(try ConsolePage(port: it.port, cookie: cookie, origin: "").status == 403)
        #expect(try ConsolePage(port: it.port, cookie: cookie, origin: "http://evil.example").status == 403)
        #expect(try ConsolePage(port: it.port, cookie: cookie, host: "rebound.example").status == 403)
        for origin in ["", "http://evil.example", "null"] {
            let headers = ["Origin": origin, "Cookie": cookie]
            #expect(try ConsolePage.ask(it.port, "POST", "/api/stop", headers: headers).status == 403)
        }
        #expect(try ConsolePage.ask(it.port, "POST", "/api/stop").status == 401)

        let many = try (1...64).map { _ in try ConsolePage(port: it.port, cookie: cookie) }
        #expect(many.allSatisfy { $0.status == 101 })
        #expect(try ConsolePage(port: it.port, cookie: cookie).status == 503)
        many.forEach { $0.cut() }
        var socket = try ConsolePage(port: it.port, cookie: cookie)
        let end = EventLoop.now + .seconds(10)
        while socket.status == 503, EventLoop.now < end {
            socket = try ConsolePage(port: it.port, cookie: cookie)
        }
        #expect(socket.status == 101)
        #expect(
            try ConsolePage.ask(it.port, "POST", "/api/logout", headers: ["Cookie": cookie]).status == 204)
        try socket.expect("goodbye") { $0["code"] == "logged_out" }
        #expect(try ConsolePage(port: it.port, cookie: cookie).status == 401)

        let token = it.bench.folder.file("state/console/console-token")
        let mode = try FileManager.default.attributesOfItem(atPath: token)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        for _ in 1...5 {
            #expect(try ConsolePage.ask(it.port, "POST", "/api/login", body: #"{"token":"x"}"#).status == 401)
        }
        let secret = try String(contentsOfFile: token, encoding: .utf8).trimmingCharacters(in: .newlines)
        #expect(
            try ConsolePage.ask(it.port, "POST", "/api/login", body: "{\"token\":\"\(secret)\"}").status
                == 429)
        #expect(it.program.end(with: SIGTERM) == 0)
        while let line = it.program.nextLine(within: .seconds(1)) { #expect(!line.contains(secret)) }
    }

    @Test(
        "A page sees states at once, gets the answers to its commands, and only what its roles may read"
    )
    func watch() throws {
        let bench = try Bench()
        try bench.startSimulator(scenario: "devices: { belt: , tap: }")
        try bench.startBridge()
        try bench.watcher.expect("belt/availability", "online")
        let it = try ConsoleBench(bench)
        let cookie = try it.login()
        let page = try it.open(cookie)
        for retained in ["tap/tapped", "tap/raw", "belt/battery"] {
            try bench.publish(retained, "secret", ["-r"])
        }
        page.send(["type": "watch", "filters": ["#"]])
        var topics: Set<String> = []
        try page.expect("the states") { message in
            topics.formUnion(message["messages"]?.array?.compactMap { $0.array?.first?.string } ?? [])
            return topics.contains("bridge/test/info") && topics.contains("belt/battery")
        }
        #expect(!topics.contains("tap/tapped") && !topics.contains("tap/raw"))

        page.send(["type": "publish", "id": "1", "topic": "belt/intensity/set", "payload": "40"])
        let answer = try page.expect("an answer") { $0["type"] == "answer" }
        #expect(answer["id"] == "1" && answer["response"]?["status"] == "ok", "\(answer)")
        page.send(["type": "publish", "id": "2", "topic": "robot/drive/set", "payload": "{}"])
        #expect(try page.expect("a refusal") { $0["type"] == "refused" }["code"] == "not_allowed")
        page.send(["type": "publish", "id": "3", "topic": "belt/intensity/set", "payload": "4000"])
        let wrong = try page.expect("an answer") { $0["type"] == "answer" }
        #expect(wrong["response"]?["status"] == "error")

        // The second page receives states from the console's memory, without another subscription.
        let second = try it.open(cookie)
        second.send(["type": "watch", "filters": ["belt/intensity"]])
        #expect(try second.expectMessage("belt/intensity") == "40")

        bench.broker.kill()
        try page.expect("the broker's end") { $0["type"] == "broker" && $0["connected"] == false }
        page.send(["type": "publish", "id": "4", "topic": "belt/intensity/set", "payload": "40"])
        #expect(try page.expect("a refusal") { $0["type"] == "refused" }["code"] == "no_broker")
    }

    @Test("A user with a broker's account has the rights that the broker grants the account")
    func account() throws {
        let folder = try TemporaryDirectory()
        let list = try folder.write(
            "topic readwrite #\n\nuser anna\ntopic read belt/battery\n", to: "access")
        chmod(list, 0o600)
        let bench = try Bench(
            users: ["anna": "secret"], brokerLines: ["allow_anonymous true", "acl_file \(list)"])
        let it = try ConsoleBench(bench, console: "login: broker")
        let wrong = try ConsolePage.ask(
            it.port, "POST", "/api/login", body: #"{"user":"anna","password":"guessed"}"#)
        #expect(wrong.status == 401)
        let page = try it.open(try it.login(#"{"user":"anna","password":"secret"}"#))
        try bench.publish("belt/mode", "app", ["-r"])
        try bench.publish("belt/battery", "71", ["-r"])
        page.send(["type": "watch", "filters": ["belt/#"]])
        // The console's own roles would let the page read both topics.
        let batch = try page.expect("a batch") { $0["type"] == "batch" }
        #expect(batch["messages"] == [["belt/battery", "71", "s"]])
    }
}
