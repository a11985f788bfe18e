import BridgeTesting
import EventLoop
import Foundation
import Glibc
import JSON
import Testing

@Suite("The demonstration", .serialized)
struct DemonstrationTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path

    @Test(
        "The lines that it prints teach the bridge a new device while it runs, and play a pattern on it"
    )
    func newDevice() throws {
        let broker = try TestBroker()
        let watcher = try Watcher(broker, isThere: true)
        let demonstration = try TestProcess(
            ["\(Self.root)/deploy/demo", "--broker", "127.0.0.1:\(broker.port)", "--seconds", "120"],
            environment: ["TACTILE_BRIDGE_BIN": Program.folder], room: 1 << 20)
        defer { close(demonstration) }

        // Before it there are paths of the host.
        let printed = try text(of: demonstration).drop { !$0.hasPrefix("The bridge runs.") }
        let wide = printed.filter { $0.count > 80 && !$0.contains(Program.folder) && !$0.contains("-p ") }
        #expect(wide == [], "no wider than 80 columns")
        let lines = printed.filter { line in
            line.hasPrefix("  ") && (line.contains("bracelet") || line.contains("reload"))
        }
        try #require(lines.count == 4, "\(printed)")
        try watcher.expectAll(["belt/availability": "online"], within: .seconds(20), fromStart: true)
        #expect(!watcher.seen.contains { $0.topic.hasPrefix("bracelet/") })

        let shown = try run(lines[0])
        #expect(shown.contains("$ mosquitto_pub -t bracelet/motor/set -m"))
        #expect(shown.contains("8 of 8 examples hold"))

        #expect(try run(lines[1]) == "")
        try run(lines[2])
        let response = try watcher.expect("bridge/demo/response/reload").json
        #expect(response["families"]?["added"] == ["bracelet"], "\(response)")
        try watcher.expectAll(
            ["bracelet/availability": "online", "bracelet/battery": #"{"level":87}"#], within: .seconds(20),
            fromStart: true)
        let discovery = try watcher.expect(
            "homeassistant/device/tactile_bridge_c0ffee00be03/config", fromStart: true)
        #expect(discovery.payload.contains("bracelet/battery"))
        let features = try watcher.expect("bridge/demo/features/bracelet", fromStart: true).json
        #expect(features["motor"]?["set"]?["try"] == "1", "\(features)")

        try run(lines[3])
        var writes: [String] = []
        let end = EventLoop.now + .seconds(10)
        while writes.last != "00", let line = demonstration.nextLine(within: end - EventLoop.now) {
            guard let report = try? JSON.Value(parsing: line.utf8), report["device"] == "bracelet" else {
                continue
            }
            writes.append(report["hex"]?.string ?? "")
        }
        #expect(writes.count > 1 && writes.last == "00" && writes.first != "00", "\(writes)")
        let result = try watcher.expect("bracelet/result", fromStart: true).json
        #expect(result["status"] == "ok" && result["feature"] == "haptic", "\(result)")

        #expect(close(demonstration) == 0)
        let folder = try #require(lines[1].split(separator: " ").last)
        #expect(!FileManager.default.fileExists(atPath: String(folder)))
        try watcher.expectAll(["bridge/demo/availability": "offline"], within: .seconds(5), fromStart: true)
    }

    @Test(
        "With two hosts a device can be carried from one bridge to the other by a line",
        .enabled(if: getenv("TACTILE_BRIDGE_FULL") != nil, "deploy/test --full runs it"))
    func twoHosts() throws {
        let broker = try TestBroker()
        let watcher = try Watcher(broker, isThere: true)
        let demonstration = try TestProcess(
            [
                "\(Self.root)/deploy/demo", "--broker", "127.0.0.1:\(broker.port)", "--seconds", "120",
                "--hosts", "2",
            ],
            environment: ["TACTILE_BRIDGE_BIN": Program.folder], hasInput: true, room: 1 << 20)
        defer { close(demonstration) }
        let printed = try text(of: demonstration)
        let carrying = try #require(printed.first { $0.contains(": move belt A off") })
        try watcher.expect("belt/connection", fromStart: true) {
            $0.json["bridge"] == "demo" && $0.json["state"] == "connected"
        }
        try demonstration.write(String(carrying.split(separator: ": ").last ?? ""))
        try watcher.expect("belt/connection", within: .seconds(20)) {
            $0.json["bridge"] == "demo-b" && $0.json["state"] == "connected"
        }
        #expect(close(demonstration) == 0)
    }

    /// Ends it, and lets it end what it started, for which `timeout` would not leave it the time.
    @discardableResult
    private func close(_ demonstration: TestProcess) -> CInt {
        demonstration.sendAlone(SIGTERM)
        return demonstration.end(with: nil)
    }

    /// What it prints before it shows the topics.
    private func text(of demonstration: TestProcess) throws -> [String] {
        var lines: [String] = []
        let end = EventLoop.now + .seconds(60)
        while let line = demonstration.nextLine(within: end - EventLoop.now) {
            lines.append(line)
            if line.hasPrefix("Ctrl-C ends it.") { return lines }
        }
        throw Missing(what: "the text of the demonstration", seen: lines)
    }

    /// Does what a reader types in a second terminal.
    @discardableResult
    private func run(_ line: String) throws -> String {
        try TestProcess.run(["sh", "-c", "cd '\(Self.root)' && \(line)"])
    }
}
