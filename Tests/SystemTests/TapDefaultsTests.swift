import Glibc
import HostTesting
import JSON
import Testing

@Suite("Defaults of TAPs that a request changes", .serialized)
struct TapDefaultsTests {
    private static let name = "tap/8c176e"
    private static let scenario = """
        devices:
          tap: { bonded: true, address: "D7:A9:E0:8C:17:6E", choices: { model: xr } }
        """

    @Test(
        "A connected TAP applies them at once without a disconnect, and again after a restart of the bridge")
    func defaults() throws {
        let bench = try Bench()
        let simulator = try bench.startSimulator(scenario: Self.scenario)
        func expectDefaults() throws {
            for hex in ["030c0000", "030d0002"] {
                try simulator.expect("the default \(hex)", within: .seconds(10)) {
                    $0["event"] == "write" && $0["hex"]?.string == hex
                }
            }
        }
        try bench.startBridge()
        try bench.watcher.expectAll(
            [
                "\(Self.name)/availability": "online", "\(Self.name)/input_mode": "controller",
                "\(Self.name)/xr_state": "user_control",
            ], within: .seconds(20))
        let links = bench.watcher.seen.count { $0.topic == "\(Self.name)/connection" }
        let answer = try bench.ask(
            "bridge/test/request/defaults",
            #"{"tap":{"default_input_mode":"text","default_xr_state":"tapping"},"immediate":true}"#)
        #expect(answer["status"] == "ok")
        #expect(answer["tap"] == ["default_input_mode": "text", "default_xr_state": "tapping"])
        #expect(answer["devices"] == [.string(Self.name)])
        try bench.watcher.expectAll(
            ["\(Self.name)/input_mode": "text", "\(Self.name)/xr_state": "tapping"], within: .seconds(5))
        try expectDefaults()
        #expect(bench.watcher.seen.count { $0.topic == "\(Self.name)/connection" } == links)

        #expect(try bench.endBridge(with: SIGTERM) == 0)
        try bench.startBridge()
        try bench.watcher.expect("\(Self.name)/availability", "online", within: .seconds(20))
        #expect(
            try bench.ask("bridge/test/request/defaults", "")["tap"]
                == ["default_input_mode": "text", "default_xr_state": "tapping"])
        try expectDefaults()
    }
}
