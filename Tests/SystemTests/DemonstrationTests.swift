import EventLoop
import Foundation
import Glibc
import HostTesting
import JSON
import Testing

@Suite("The demonstration", .serialized)
struct DemonstrationTests {
    static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path

    @Test("A time that is not a positive integer is rejected at the start", arguments: ["abc", "0", "1.5"])
    func seconds(_ word: String) throws {
        let demonstration = try TestProcess(["\(Self.root)/deploy/demo", "--seconds", word])
        #expect(demonstration.end(with: nil) == 64)
    }

    @Test(
        "On an existing broker the demo stays under demo/, its lines let a device join, and it leaves nothing behind"
    )
    func newDevice() throws {
        let broker = try TestBroker()
        let watcher = try Watcher(broker, isThere: true)
        for topic in ["demo/mine", "demo/belt/mode"] {
            try TestProcess.run(["mosquitto_pub"] + broker.arguments + ["-r", "-t", topic, "-m", "old"])
        }
        let demonstration = try TestProcess(
            ["\(Self.root)/deploy/demo", "--broker", "127.0.0.1:\(broker.port)", "--seconds", "120"],
            environment: ["TACTILE_BRIDGE_BIN": Program.folder], room: 1 << 20, hearsSignals: true)
        defer { close(demonstration) }

        let printed = try text(of: demonstration)
        let temporary = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
        let wide = printed.filter { $0.replacing(temporary, with: "/tmp").count > 80 && !$0.contains("-p ") }
        #expect(wide == [], "no wider than 80 columns")
        let link = try #require(printed.first { $0.hasPrefix("  http://127.0.0.1:") })
        let (port, token) = try #require(Self.parts(of: link))
        #expect(
            try ConsolePage.ask(port, "POST", "/api/login", body: "{\"token\":\"\(token)\"}").status == 204)
        let lines = printed.filter { line in
            line.hasPrefix("  ") && (line.contains("bracelet") || line.contains("reload"))
        }
        try #require(lines.count == 4, "\(printed)")
        try watcher.expectAll(
            ["demo/belt/availability": "online"], within: .seconds(20), fromStart: true)
        #expect(!watcher.seen.contains { $0.topic.hasPrefix("demo/bracelet/") })

        let shown = try run(lines[0])
        #expect(shown.contains("$ mosquitto_pub -t bracelet/motor/set -m"))
        #expect(shown.contains("8 of 8 examples pass"))

        #expect(try run(lines[1]) == "")
        try run(lines[2])
        let response = try watcher.expect("demo/bridge/demo/response/reload").json
        #expect(response["families"]?["added"] == ["bracelet"], "\(response)")
        try watcher.expectAll(
            ["demo/bracelet/availability": "online", "demo/bracelet/battery": #"{"level":87}"#],
            within: .seconds(20), fromStart: true)
        // A reading is announced with its first value.
        try watcher.expect("demo/homeassistant/device/tactile_bridge_c0ffee00be03/config", fromStart: true) {
            $0.payload.contains("demo/bracelet/battery")
        }
        let features = try watcher.expect("demo/bridge/demo/features/bracelet", fromStart: true).json
        #expect(features["motor"]?["set"]?["try"] == "1", "\(features)")

        try run(lines[3])
        let words = "  bracelet  was written "
        var writes: [String] = []
        let end = EventLoop.now + .seconds(10)
        while writes.last != "00", let line = demonstration.nextLine(within: end - EventLoop.now) {
            if let range = line.range(of: words) { writes.append(String(line[range.upperBound...])) }
        }
        #expect(writes.count > 1 && writes.last == "00" && writes.first != "00", "\(writes)")
        let result = try watcher.expect("demo/bracelet/result", fromStart: true).json
        #expect(result["status"] == "ok" && result["feature"] == "haptic", "\(result)")

        #expect(close(demonstration) == 0)
        let folder = try #require(lines[1].split(separator: " ").last)
        #expect(!FileManager.default.fileExists(atPath: String(folder)))
        try watcher.expectAll(
            ["demo/bridge/demo/availability": "offline"], within: .seconds(5), fromStart: true)
        // The demo used only its own topics; the topics of other clients are unchanged.
        let topics = Set(watcher.seen.map(\.topic)).filter { !$0.hasPrefix("watcher/") }
        #expect(topics.allSatisfy { $0.hasPrefix("demo/") }, "\(topics)")
        let left = try Watcher(broker, isThere: true).seen.filter(\.isRetained).map(\.topic)
        #expect(left == ["demo/mine"])
    }

    @Test(
        "On a terminal it is one screen: its suggested lines work, a typing error is answered, Ctrl-C stops it"
    )
    func screen() throws {
        // Each escape starts a line, as a screen has no other line ends. The status of the outer shell does
        // not count: some shells die of Ctrl-C whatever the exit status of their child was.
        let command = """
            script -qfec "exec \(Self.root)/deploy/demo --seconds 120" /dev/null | stdbuf -o0 tr '\\033' '\\n'
            status=${PIPESTATUS[0]}; echo; exit $status
            """
        let demonstration = try TestProcess(
            ["bash", "-c", command],
            environment: ["TACTILE_BRIDGE_BIN": Program.folder, "TERM": "xterm", "NO_COLOR": "1"],
            hasInput: true, room: 1 << 20, hearsSignals: true)
        defer { close(demonstration) }
        func expect(_ text: String, within limit: Duration = .seconds(20)) throws {
            let end = EventLoop.now + limit
            var seen: [String] = []
            while let line = demonstration.nextLine(within: end - EventLoop.now) {
                if line.contains(text) { return }
                seen.append(line)
            }
            throw Missing(what: text, seen: seen.suffix(60))
        }
        func type(_ line: String) throws { try demonstration.write(line) }

        try expect("[?1049h")
        try expect("broker localhost:")
        try expect("belt/mode/set app")
        try type("belt/vibrate/set 90")
        try expect("wrong_mode: ")
        // Two characters are deleted and typed again.
        try type("belt/moode\u{7F}\u{7F}\u{7F}de/set app")
        try expect("result mode ok")
        try type("belt/vibrate/set 90")
        try expect("[4]")
        try type("belt prss home")
        try expect("'prss home' is not understood; a belt accepts")
        try type("mosquitto_pub -t belt/stop/set -m all")
        try expect("mosquitto_pub is a shell command")
        try type("tap 5")
        try expect("│█│")
        // A bridge that has just started rejects motion for a while and reports it.
        var hasPower = false
        for _ in 0..<4 where !hasPower {
            try type("robot/power/set on")
            hasPower = (try? expect("result power ok", within: .seconds(4))) != nil
        }
        #expect(hasPower)
        try type(#"robot/drive/set {"y":0.3,"duration_ms":2000}"#)
        try expect("power, drives")
        try type("belt/stop/set all")
        try expect("at rest")
        try type("\u{3}")
        try expect("[?1049l")
        while demonstration.nextLine(within: .seconds(10)) != nil {}
        #expect(demonstration.end(with: nil) == 0)
    }

    @Test("An unknown option is a usage error")
    func usage() throws {
        let output = try TestProcess.run(
            ["sh", "-c", "'\(Self.root)/deploy/demo' --brokr 2>&1; test $? = 64"])
        #expect(output.contains("unknown option --brokr (--help shows them)"))
    }

    @Test(
        "With two hosts a line moves a device from one bridge to the other",
        .enabled(if: getenv("TACTILE_BRIDGE_FULL") != nil, "deploy/test --full runs it"))
    func twoHosts() throws {
        let broker = try TestBroker()
        let watcher = try Watcher(broker, isThere: true)
        let demonstration = try TestProcess(
            [
                "\(Self.root)/deploy/demo", "--broker", "127.0.0.1:\(broker.port)", "--seconds", "120",
                "--hosts", "2",
            ],
            environment: ["TACTILE_BRIDGE_BIN": Program.folder], hasInput: true, room: 1 << 20,
            hearsSignals: true)
        defer { close(demonstration) }
        let printed = try text(of: demonstration)
        let carrying = try #require(printed.first { $0.hasPrefix("  move belt A off") })
        try watcher.expect("demo/belt/connection", fromStart: true) {
            $0.json["bridge"] == "demo" && $0.json["state"] == "connected"
        }
        try demonstration.write(String(carrying.dropFirst(2)))
        try watcher.expect("demo/belt/connection", within: .seconds(20)) {
            $0.json["bridge"] == "demo-b" && $0.json["state"] == "connected"
        }
        #expect(close(demonstration) == 0)
    }

    /// Stops the demo and lets it stop its own children, for which `timeout` would not leave enough time.
    @discardableResult
    private func close(_ demonstration: TestProcess) -> CInt {
        demonstration.sendAlone(SIGTERM)
        return demonstration.end(with: nil)
    }

    /// The port and the token of the console's link.
    private static func parts(of link: String) -> (UInt16, String)? {
        guard let match = link.wholeMatch(of: /\ \ http:\/\/127\.0\.0\.1:(\d+)\/#token=([\w-]{43})/) else {
            return nil
        }
        return UInt16(match.1).map { ($0, String(match.2)) }
    }

    /// The lines that the demo prints before it reports events.
    private func text(of demonstration: TestProcess) throws -> [String] {
        var lines: [String] = []
        let end = EventLoop.now + .seconds(60)
        while let line = demonstration.nextLine(within: end - EventLoop.now) {
            if line.isEmpty { return lines }
            lines.append(line)
        }
        throw Missing(what: "the text of the demonstration", seen: lines)
    }

    /// Runs a line that a reader types in a second terminal.
    @discardableResult
    private func run(_ line: String) throws -> String {
        try TestProcess.run(["sh", "-c", "cd '\(Self.root)' && \(line)"])
    }
}
