import EventLoop
import Glibc
import HostTesting
import JSON
import Testing

/// The console under twenty TAPs that stream all their sensors, for ten seconds or
/// `TACTILE_BRIDGE_LOAD_SECONDS`. The limits apply to the release build in `TACTILE_BRIDGE_BIN`.
@Suite("The console's load", .serialized)
struct ConsoleLoadTests {
    private static let count = 20
    private static let tabs = 10
    private static var seconds: Int {
        getenv("TACTILE_BRIDGE_LOAD_SECONDS").flatMap { Int(String(cString: $0)) } ?? 10
    }
    private static let isMeasured = getenv("TACTILE_BRIDGE_BIN") != nil && !TestProcess.isSanitized

    @Test("The console needs 28 MB when idle, with all streams and ten pages 60 MB and a quarter core")
    func load() throws {
        let devices = (0..<Self.count).map {
            "  t\($0): { kind: tap, bonded: true, address: \"D7:A9:E0:8C:17:\($0 + 10)\" }"
        }
        let bench = try Bench()
        let simulator = try bench.startSimulator(
            scenario: "devices:\n" + devices.joined(separator: "\n") + "\n")
        let bridge = try bench.startBridge(logLevel: "info")
        var wanted: [String: String?] = [:]
        for number in 0..<Self.count { wanted["tap/8c17\(number + 10)/input_mode"] = "controller" }
        try bench.watcher.expectAll(wanted, within: .seconds(60))
        let results = try Watcher(bench.broker, isThere: true, topics: ["all/taps/result"])
        bench.stopWatching()

        let it = try ConsoleBench(bench, console: "roles: { \"*\": [viewer, operator, typist] }")
        let cookie = try it.login()
        var pages = [try it.open(cookie)]
        func watch(_ page: ConsolePage) { page.send(["type": "watch", "filters": ["#"]]) }
        watch(pages[0])
        _ = ConsolePage.drain(pages, until: EventLoop.now + .seconds(2))
        let idle = try #require(it.program.memory)
        let isReleased = try #require(it.program.isReleased as Bool?)

        for _ in 1..<Self.tabs {
            pages.append(try it.open(cookie))
            watch(pages[pages.count - 1])
        }
        try bench.publish("all/taps/input_mode/set", "raw")
        try results.expect("all/taps/result", within: .seconds(10)) { $0.json["status"] == "ok" }
        _ = ConsolePage.drain(pages, until: EventLoop.now + .seconds(2))
        let (start, bridgeStart) = (
            try #require(it.program.processorTime), try #require(bridge.processorTime)
        )
        let begin = EventLoop.now
        var bytes = 0
        for second in 0..<Self.seconds {
            bytes += ConsolePage.drain(pages, until: begin + .seconds(second + 1))
            for program in [simulator, bridge, it.program] {
                while program.nextLine(within: .milliseconds(1)) != nil {}
            }
        }
        let elapsed = EventLoop.now - begin
        let used = try #require(it.program.processorTime) - start
        let bridgeUsed = try #require(bridge.processorTime) - bridgeStart
        let memory = try #require(it.program.peakMemory)
        let each = Double(bytes) / Double(Self.tabs) / (elapsed / .seconds(1))
        print(
            """
            \(Self.count) TAPs, \(Self.tabs) pages for \(elapsed): the \
            \(isReleased ? "released " : "")console \(Int(used / elapsed * 1000)) ‰ of a core, \
            \(memory / 1000) kB at most (idle with a page \(idle.resident / 1000) kB, its own \(idle.own / 1000) kB), \
            \(Int(each)) bytes a second to each page; the bridge \(Int(bridgeUsed / elapsed * 1000)) ‰
            """)
        // Each page receives twenty values a second of each TAP; the limit is a quarter of their bytes.
        #expect(each > 20.0 * 100 * Double(Self.count) / 4)
        #expect(it.program.pid != nil)
        guard Self.isMeasured else { return }
        #expect(used < elapsed / 4)
        #expect(memory <= 60_000_000)
        // A program with shared libraries has more memory mapped from files than the installed one.
        #expect((isReleased ? idle.resident : idle.own) <= 28_000_000)
    }
}
