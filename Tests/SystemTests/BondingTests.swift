import EventLoop
import Glibc
import HostTesting
import JSON
import Testing

@Suite("Belts that serve bonded hosts only", .serialized)
struct BondingTests {
    private static let scenario = """
        devices:
          belt: { choices: { wait_signal: off, pairing: mode } }
        """
    private static let permit = ["TACTILE_BRIDGE_BLUETOOTH_JOIN": "permit"]

    private static func tellsWhatToDo(_ message: Watcher.Message) -> Bool {
        message.json["advice"]?.string?.contains("hold the home button for 5 seconds") == true
            && message.json["reason"]?.string?.isEmpty == false
    }

    /// Follows the advice as the wearer does, and waits until the belt is online.
    private func obey(_ bench: Bench) throws {
        try bench.act("belt press home long")
        try bench.simulator?.expect("pairing mode") { $0["event"] == "pairing" && $0["open"] == "true" }
        let start = EventLoop.now
        try bench.watcher.expect("belt/availability", "online", within: .seconds(30))
        print("bonded and online \(EventLoop.now - start) after the home button")
        try bench.simulator?.expect("the end of pairing mode") {
            $0["event"] == "pairing" && $0["open"] == "false"
        }
        let connection = try #require(bench.watcher.seen.last { $0.topic == "belt/connection" }).json
        #expect(connection["state"] == "connected")
        #expect(connection["advice"] == .null)
        #expect(try bench.ask("belt/intensity/set", "55")["status"] == "ok")
    }

    @Test("A belt that refuses a bond advises the wearer, and serves after the home button was held")
    func always() throws {
        let bench = try Bench()
        try bench.startSimulator(scenario: Self.scenario)
        try bench.startBridge()
        try bench.watcher.expect("belt/connection", where: Self.tellsWhatToDo)
        // The bridge tries a rejected bond again, and keeps publishing the advice.
        try bench.watcher.expect("belt/connection") { $0.json["state"] == "pairing" }
        try bench.watcher.expect("belt/connection") {
            $0.json["state"] != "pairing" && Self.tellsWhatToDo($0)
        }
        try obey(bench)

        // The bond survives a restart of the bridge: nobody has to press a button again.
        try bench.endBridge(with: SIGTERM)
        let watcher = try bench.watchAnew()
        try bench.startBridge()
        try watcher.expect("belt/availability", "online")
        #expect(!watcher.seen.contains { $0.topic == "belt/connection" && Self.tellsWhatToDo($0) })
    }

    @Test("permit_join lets the belt join, the bridge advises, and the home button makes the bond")
    func permitted() throws {
        let bench = try Bench()
        try bench.startSimulator(scenario: Self.scenario)
        try bench.startBridge(environment: Self.permit)
        try bench.watcher.expect("bridge/test/info")
        let answer = try bench.ask("bridge/test/request/permit_join", "60")
        #expect(answer["status"] == "ok")
        try bench.watcher.expect("bridge/test/event") { $0.json["event"] == "device_joined" }
        try bench.watcher.expect("belt/connection", where: Self.tellsWhatToDo)
        try obey(bench)
    }

    @Test("A belt in pairing mode joins at once, without advice")
    func prepared() throws {
        let bench = try Bench()
        let belt = try bench.startSimulator(scenario: Self.scenario)
        try belt.type("belt press home long")
        try belt.expect("pairing mode") { $0["event"] == "pairing" && $0["open"] == "true" }
        try bench.startBridge(environment: Self.permit)
        try bench.watcher.expect("bridge/test/info")
        #expect(try bench.ask("bridge/test/request/permit_join", "60")["status"] == "ok")
        try bench.watcher.expect("belt/availability", "online")
        #expect(!bench.watcher.seen.contains { $0.topic == "belt/connection" && Self.tellsWhatToDo($0) })
        try bench.watcher.expect("belt/pairing_required", "true")
    }

    @Test("A belt that no longer requires a bond serves without one")
    func notRequired() throws {
        let bench = try Bench.withBelt(scenario: Self.scenario.replacing("mode", with: "anytime"))
        #expect(try bench.ask("belt/pairing_required/set", "false")["status"] == "ok")
        #expect(
            try bench.ask("bridge/test/request/forget", "belt")["status"] == "ok")
        try bench.watcher.expect("bridge/test/event") { $0.json["event"] == "device_left" }
        try bench.watcher.expect("belt/availability", "online")
        try bench.watcher.expect("belt/pairing_required", "false")
    }
}
