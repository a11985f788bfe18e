import EventLoop
import Foundation
import Glibc
import HostTesting
import Testing

@Suite("Logins of the console across restarts", .serialized)
struct ConsoleSessionTests {
    private func isAdmitted(_ it: ConsoleBench, _ cookie: String) throws -> Bool {
        try ConsolePage(port: it.port, cookie: cookie).status == 101
    }

    @Test(
        "A login by token survives a restart and a crash, a logout is final, and a new token ends every login"
    )
    func token() throws {
        let bench = try Bench()
        var it = try ConsoleBench(bench)
        let (cookie, other) = (try it.login(), try it.login())
        #expect(
            try ConsolePage.ask(it.port, "POST", "/api/logout", headers: ["Cookie": other]).status == 204)
        #expect(it.program.end(with: SIGTERM) == 0)

        let file = bench.folder.file("state/console/console-sessions")
        let saved = try String(contentsOfFile: file, encoding: .utf8)
        let value = try #require(cookie.split(separator: "=").last)
        #expect(saved.contains(#""id":""#) && !saved.contains(value))
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
        #expect(mode == 0o600)

        it = try ConsoleBench(bench, port: it.port)
        #expect(try isAdmitted(it, cookie) && !isAdmitted(it, other))
        let third = try it.login()
        let end = EventLoop.now + .seconds(10)
        func count() throws -> Int {
            try String(contentsOfFile: file, encoding: .utf8).matches(of: /"id"/).count
        }
        while try count() < 2, EventLoop.now < end { usleep(10_000) }
        #expect(try count() == 2)
        _ = it.program.end(with: SIGKILL)
        it = try ConsoleBench(bench, port: it.port)
        #expect(try isAdmitted(it, cookie) && isAdmitted(it, third))

        #expect(it.program.end(with: SIGTERM) == 0)
        try FileManager.default.removeItem(atPath: bench.folder.file("state/console/console-token"))
        it = try ConsoleBench(bench, port: it.port)
        #expect(try !isAdmitted(it, cookie) && !isAdmitted(it, third))
    }

    @Test("A damaged file of sessions is reported, and users log in again")
    func damaged() throws {
        let bench = try Bench()
        var it = try ConsoleBench(bench)
        let cookie = try it.login()
        #expect(it.program.end(with: SIGTERM) == 0)
        _ = try bench.folder.write("[{", to: "state/console/console-sessions")
        it = try ConsoleBench(bench, port: it.port)
        #expect(try !isAdmitted(it, cookie) && isAdmitted(it, it.login()))
    }

    @Test("A login by a broker's account does not survive, and nothing of it is saved")
    func account() throws {
        let bench = try Bench(users: ["anna": "secret"], brokerLines: ["allow_anonymous true"])
        var it = try ConsoleBench(bench, console: "login: broker")
        let cookie = try it.login(#"{"user":"anna","password":"secret"}"#)
        #expect(try isAdmitted(it, cookie))
        #expect(it.program.end(with: SIGTERM) == 0)
        #expect(
            !FileManager.default.fileExists(atPath: bench.folder.file("state/console/console-sessions")))
        it = try ConsoleBench(bench, console: "login: broker", port: it.port)
        #expect(try !isAdmitted(it, cookie))
    }

    @Test("The user of a proxy stays logged in")
    func proxy() throws {
        let bench = try Bench()
        var it = try ConsoleBench(bench, console: "login: proxy, trusted_proxies: [127.0.0.1]")
        let port = it.port
        let headers = ["X-Forwarded-User": "anna"]
        for _ in 1...2 {
            #expect(try ConsolePage(port: port, headers: headers).status == 101)
            #expect(it.program.end(with: SIGTERM) == 0)
            it = try ConsoleBench(bench, console: "login: proxy, trusted_proxies: [127.0.0.1]", port: port)
        }
        #expect(try ConsolePage(port: port).status == 401)
    }
}
