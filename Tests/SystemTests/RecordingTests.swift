import EventLoop
import Foundation
import Glibc
import HostTesting
import JSON
import Testing

@Suite("Recordings, from the bridge to the simulator and back", .serialized)
struct RecordingTests {
    /// The recordings saved as tests, or only `TACTILE_RECORDING` if set.
    static let kept: [String] = {
        if let tried = getenv("TACTILE_RECORDING") { return [String(cString: tried)] }
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Recordings").path
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasSuffix(".jsonl") }.sorted().map { "\(folder)/\($0)" }
    }()

    @Test("A saved recording still produces the recorded topics", arguments: kept)
    func replayed(_ path: String) throws {
        let session = try RecordedSession(path)
        #expect(session.messageCount > 10)
        let differences = try session.replay()
        #expect(differences.isEmpty, "\(differences.joined(separator: "\n"))")
    }

    @Test("The replay of a recorded belt session publishes the same messages in the same order")
    func belt() throws {
        let bench = try Bench()
        let path = bench.folder.file("belt.jsonl")
        try bench.startSimulator(
            scenario: "devices: { belt: { choices: { wait_signal: off }, address: \"D7:A9:E0:8C:17:6E\" } }")
        try bench.startBridge(options: ["--record", path])
        try bench.watcher.expect("belt/availability", "online")
        try bench.publish("belt/mode/set", "app")
        try bench.watcher.expect("belt/mode", "app")
        #expect(try bench.ask("belt/intensity/set", "60")["status"] == "ok")
        #expect(try bench.ask("belt/vibrate/set", "90")["status"] == "ok")
        // The command may wait in the queue, and then follows the next one in the recording.
        try bench.watcher.expect("belt/vibration") { $0.json["channels"]?.array?.count == 1 }
        try bench.act("belt press home")
        try bench.watcher.expect("belt/button")
        try bench.act("belt battery 42 charging")
        try bench.watcher.expect("belt/battery") { $0.payload.contains("42") }
        try bench.publish("belt/intensity/set", "7000")
        try bench.watcher.expect("belt/result") { $0.json["code"] == "out_of_range" }
        #expect(try bench.ask("belt/stop/set", "")["status"] == "ok")
        try bench.watcher.expect("belt/vibration") { $0.json["channels"] == [] }
        #expect(try bench.endBridge(with: SIGTERM) == 0)

        let session = try RecordedSession(path)
        #expect(session.header["recording"] == 1)
        #expect(session.header["private"] == false)
        #expect(session.lines("end").last?["reason"] == "shutdown")
        #expect(session.lines("link").first?["address"] == "C0:00:00:00:00:01")
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.contains("D7:A9:E0:8C:17:6E") == false)
        #expect(session.messageCount > 15)
        let differences = try session.replay()
        #expect(differences.isEmpty, "\(differences.joined(separator: "\n"))")
        if let target = getenv("TACTILE_KEEP_RECORDING") {
            try FileManager.default.copyItem(atPath: path, toPath: String(cString: target))
        }
    }

    @Test("The replay detects a bridge with different behavior: a changed topic is reported")
    func difference() throws {
        let path = try #require(Self.kept.last)
        let folder = try TemporaryDirectory()
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let changed = text.replacing("\"topic\":\"belt/button\"", with: "\"topic\":\"belt/knob\"")
        try #require(changed != text)
        let differences = try RecordedSession(try folder.write(changed, to: "changed.jsonl")).replay()
        #expect(
            differences.contains { $0.contains("expected belt/knob") && $0.contains("found belt/button") })
    }

    @Test("Tapped text is in a recording only on request", arguments: [false, true])
    func taps(_ isPrivate: Bool) throws {
        let bench = try Bench()
        let path = bench.folder.file("tap.jsonl")
        try bench.startSimulator(
            scenario: "devices: { tap: { bonded: true, address: \"D7:A9:E0:8C:17:6E\" } }")
        try bench.startBridge(options: ["--record", path] + (isPrivate ? ["--private"] : []))
        try bench.watcher.expectAll(
            ["tap/8c176e/availability": "online", "tap/8c176e/input_mode": nil], within: .seconds(15))
        try bench.act("tap 5")
        try bench.watcher.expect("tap/8c176e/tapped")
        #expect(try bench.endBridge(with: SIGTERM) == 0)
        let session = try RecordedSession(path)
        let taps = session.lines("notify").filter {
            $0["characteristic"]?.string?.hasSuffix("c3ff0005-1d8b-40fd-a56f-c7bd5d0f3370") ?? false
        }
        let tapped = session.lines("publish").filter { $0["topic"]?.string?.hasSuffix("/tapped") ?? false }
        #expect(!taps.isEmpty && !tapped.isEmpty)
        #expect(taps.allSatisfy { ($0["hex"] != nil) == isPrivate && ($0["length"] != nil) != isPrivate })
        #expect(tapped.allSatisfy { ($0["payload"] != nil) == isPrivate })
        #expect(session.lines("link").first?["device"] == (isPrivate ? "tap/8c176e" : "tap/000001"))
    }

    @Test("A requested recording is in the state folder, and a full disk ends it while the bridge continues")
    func request() throws {
        let bench = try Bench.withBelt()
        let answer = try bench.ask("bridge/test/request/record", #"{"seconds":600,"devices":["belt"]}"#)
        #expect(answer["standing"] == ["belt"])
        let path = try #require(answer["path"]?.string)
        #expect(path.hasPrefix(bench.folder.file("state/recordings/")))
        #expect(try bench.ask("bridge/test/request/record", "10")["code"] == "busy")
        try bench.expectOK("belt/mode/set", "app")
        let ended = try bench.ask("bridge/test/request/record", "0")
        #expect(ended["reason"] == "request")
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(ended["bytes"]?.integer == text.utf8.count)
        #expect(text.contains("\"standing\":true"))
        #expect(text.contains("\"event\":\"write\""))
    }

    @Test("The command record starts and stops a recording of the running bridge, and reports a rejection")
    func command() throws {
        let bench = try Bench.withBelt()
        func run(_ arguments: [String]) throws -> (lines: [String], status: CInt) {
            let program = try Program(
                "tactile-bridge", ["record"] + arguments,
                environment: [
                    "TACTILE_BRIDGE_BRIDGE_ID": "test", "TACTILE_BRIDGE_MQTT_HOST": "127.0.0.1",
                    "TACTILE_BRIDGE_MQTT_PORT": "\(bench.broker.port)",
                ])
            var lines: [String] = []
            while let line = program.nextLine(within: .seconds(30)) { lines.append(line) }
            return (lines, program.wait())
        }
        let begun = try run(["--seconds", "600", "--device", "belt"])
        #expect(begun.status == 0, "\(begun.lines)")
        let path = try #require(begun.lines.first?.prefix { $0 != ":" })
        #expect(FileManager.default.fileExists(atPath: String(path)))
        #expect(begun.lines.last?.hasPrefix("belt is already connected") == true)
        let second = try run([])
        #expect(second.status == 1)
        #expect(second.lines.contains { $0.contains("a recording runs until") })
        let ended = try run(["--stop"])
        #expect(ended.status == 0)
        #expect(ended.lines.first?.hasPrefix("\(path): ") == true)
        #expect(try run(["--stop"]).lines == ["No recording is running."])
        #expect(try run(["--seconds", "0"]).status == 64)
        try bench.endBridge(with: SIGTERM)
        let silent = try run([])
        #expect(silent.status == 69)
        #expect(silent.lines.contains { $0.contains("no answer from the bridge test") })
    }

    @Test("A recording that cannot grow ends with an event and a log line, and the belt stays connected")
    func fullDisk() throws {
        let bench = try Bench()
        try bench.startSimulator()
        try bench.startBridge(options: ["--record", "/dev/full"])
        try bench.watcher.expect("bridge/test/event", within: .seconds(10)) {
            $0.json["event"] == "recording_ended" && $0.json["reason"] == "disk"
        }
        try bench.watcher.expect("belt/availability", "online")
        try bench.expectOK("belt/mode/set", "app")
    }

    @Test("A file that cannot be created is reported before the recording starts")
    func misuse() throws {
        let bench = try Bench()
        let bridge = try bench.startBridge(options: ["--record", "/nowhere/x.jsonl"])
        try bridge.expectLine("--record: write /nowhere/x.jsonl: No such file or directory")
        #expect(bridge.wait() == 69)
    }
}
