import EventLoop
import HostTesting
import JSON
import Testing

@Suite("Limits of pages in the console", .serialized)
struct ConsoleLimitTests {
    @Test("A page that reads nothing is informed and disconnected, and other pages are not affected")
    func slow() throws {
        let it = try ConsoleBench(Bench())
        let cookie = try it.login()
        let slow = try it.open(cookie, room: 65_536)
        let other = try it.open(cookie)
        for page in [slow, other] { page.send(["type": "watch", "filters": ["+/button"]]) }
        let line = String(repeating: "x", count: 20_000)
        let flood = try it.bench.folder.write(String(repeating: "\(line)\n", count: 200), to: "flood")
        let end = EventLoop.now + .seconds(60)
        var isCut = false
        while !isCut, EventLoop.now < end {
            try TestProcess.run([
                "sh", "-c",
                "exec mosquitto_pub \(it.bench.broker.arguments.joined(separator: " ")) -t belt/button -l < '\(flood)'",
            ])
            _ = ConsolePage.drain([other], until: EventLoop.now + .milliseconds(100))
            while let line = it.program.nextLine(within: .milliseconds(1)) {
                isCut = isCut || line.contains("a page does not read its messages")
            }
        }
        try #require(isCut)
        let last = slow.remainder(within: .seconds(5))
        #expect(last.contains(#""type":"bye","code":"slow""#), "\(last.suffix(200))")
        // The queue for the slow page was bounded, and other pages still receive messages.
        #expect(try #require(it.program.peakMemory) < 60_000_000 * (TestProcess.isSanitized ? 10 : 1))
        let next = try it.open(cookie)
        next.send(["type": "watch", "filters": ["belt/mode"]])
        try it.bench.publish("belt/mode", "app", ["-r"])
        #expect(try next.expectMessage("belt/mode") == "app")
    }

    @Test(
        "A message of 64 kB is read; a larger one closes the socket, in fragments too; a larger request is rejected"
    )
    func large() throws {
        let it = try ConsoleBench(Bench())
        let cookie = try it.login()
        func message(_ size: Int) -> [UInt8] {
            let frame = #"{"type":"publish","id":"1","topic":"belt/haptic/set","payload":""}"#
            let text = frame.replacing(
                "\"payload\":\"",
                with: "\"payload\":\"" + String(repeating: "x", count: size - frame.utf8.count))
            return Array(text.utf8)
        }
        let page = try it.open(cookie)
        page.frame(1, message(65_536))
        try it.bench.watcher.expect("belt/haptic/set") { $0.payload.utf8.count > 65_000 }
        page.frame(1, message(65_537))
        while page.next() != nil {}
        #expect(page.closeCode == 1009)

        let other = try it.open(cookie)
        other.frame(1, Array(message(65_536).prefix(40_000)), isLast: false)
        other.frame(0, Array(message(65_536).suffix(25_536)))
        try it.bench.watcher.expect("belt/haptic/set") { $0.payload.utf8.count > 65_000 }
        other.frame(1, [UInt8](repeating: 0x20, count: 40_000), isLast: false)
        other.frame(0, [UInt8](repeating: 0x20, count: 30_000))
        while other.next() != nil {}
        #expect(other.closeCode == 1009)

        for (path, size, status) in [
            ("/api/login", 4096, 401), ("/api/login", 4097, 413),
            // An unreadable stop request stops all devices.
            ("/api/stop", 65_536, 204), ("/api/stop", 65_537, 204),
        ] {
            let answer = try ConsolePage.ask(
                it.port, "POST", path, body: String(repeating: " ", count: size), headers: ["Cookie": cookie])
            #expect(answer.status == status, "\(path) \(size)")
        }
        #expect(try it.open(cookie).status == 101)

        let socket = try LoopbackSocket(port: it.port)
        socket.send(
            "POST /api/login HTTP/1.1\r\nHost: 127.0.0.1:\(it.port)\r\nTransfer-Encoding: chunked\r\n\r\n"
                + String(repeating: "1\r\nx\r\n", count: 65))
        #expect(try #require(socket.readToEnd()).contains(" 413 "))
    }

    @Test("After five failed logins from an address, the bodies of its requests are not read")
    func guesses() throws {
        let it = try ConsoleBench(Bench())
        for _ in 1...5 { #expect(try ConsolePage.ask(it.port, "POST", "/api/login").status == 401) }
        let socket = try LoopbackSocket(port: it.port)
        socket.send(
            "POST /api/login HTTP/1.1\r\nHost: 127.0.0.1:\(it.port)\r\nContent-Length: 100\r\n\r\n")
        #expect(try #require(socket.readToEnd()).contains(" 429 "))
    }

    @Test("An invalid message of a page is rejected, and the socket stays open")
    func nonsense() throws {
        let it = try ConsoleBench(Bench())
        let page = try it.open(try it.login())
        for text in [
            "", "[]", "{}", #"{"type":"x"}"#, #"{"type":"publish","topic":"a/+/set","payload":""}"#, "\u{0}",
        ] {
            page.frame(1, Array(text.utf8))
            try page.expect("a refusal") { $0["type"] == "refused" }
        }
        let topics = Array(repeating: JSON.Value.string("a"), count: 257)
        page.send(["type": "watch", "filters": .array(topics)])
        try page.expect("a refusal") { $0["code"] == "bad_message" }
        page.send(["type": "watch", "filters": ["$SYS/#"]])
        try page.expect("a refusal") { $0["code"] == "bad_message" }
    }
}
