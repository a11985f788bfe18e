import EventLoop
import Glibc
import HostTesting
import JSON
import Testing

@Suite("Topics for programs: groups, patterns, codes and requests to all bridges", .serialized)
struct MachineContractTests {
    private static let belt = "devices: { belt: { choices: { wait_signal: off } } }"

    @Test(
        "Groups are retained; the answer for a pattern contains it as requested and as a belt plays it"
    )
    func groupsAndPatterns() throws {
        let bench = try Bench.withBelt(
            scenario: Self.belt,
            configuration: """
                devices:
                  belt: { family: belt, address: "C0:FF:EE:00:BE:01" }
                  hall/belt: { family: belt, address: "C0:FF:EE:00:00:99" }
                groups:
                  wearers: [belt, hall/belt]
                """)
        let groups = try bench.watchAnew().expect("bridge/test/groups", fromStart: true)
        #expect(groups.isRetained)
        let list = groups.json.array ?? []
        #expect(list.contains(["group": "all", "members": ["belt", "hall/belt"]]), "\(list)")
        #expect(list.contains(["group": "all/belts", "members": ["belt", "hall/belt"]]), "\(list)")
        #expect(list.contains(["group": "wearers", "members": ["belt", "hall/belt"]]), "\(list)")

        let named = try bench.ask("bridge/test/request/pattern", #"{"pattern":"gradual","family":"belt"}"#)
        #expect(named["status"] == "ok" && named["asked"]?.array?.isEmpty == false, "\(named)")
        #expect(named["shown"]?["belt"]?["strokes"]?.array?.isEmpty == false, "\(named)")
        let inline = try bench.ask(
            "bridge/test/request/pattern",
            #"{"device":"belt","events":[{"time":0.1,"kind":"continuous","duration":0.2,"intensity":0.8,"sharpness":0.3}]}"#
        )
        #expect(
            inline["asked"] == [["time": 0.1, "duration": 0.2, "intensity": 0.8, "sharpness": 0.3]],
            "\(inline)")
        #expect(inline["duration_s"] == 0.3)
        #expect(inline["shown"]?["belt"]?["strokes"]?.array?.isEmpty == false)
        #expect(try bench.ask("bridge/test/request/pattern", "nothing")["code"] == "invalid_value")
        let wrong = try bench.ask("bridge/test/request/permit_join", #"{"address":"AA-BB-CC-00-00-01"}"#)
        #expect(wrong["message"]?.string?.contains("such as AA:BB:CC:DD:EE:FF") == true, "\(wrong)")
    }

    @Test("A configured device out of range is published with codes for the reason and the advice")
    func absent() throws {
        let bench = try Bench()
        try bench.startSimulator(scenario: Self.belt)
        try bench.startBridge(
            configuration: """
                devices:
                  hall/belt: { family: belt, address: "C0:FF:EE:00:00:99" }
                """)
        let connection = try bench.watcher.expect("hall/belt/connection") {
            $0.json["reason_code"] == "not_heard"
        }
        #expect(connection.json["advice_code"] == "check_device")
        #expect(connection.json["reason"]?.string?.isEmpty == false)
    }

    @Test("A request to all bridges is answered by both bridges on the broker")
    func everyBridge() throws {
        let first = try Bench.withBelt(scenario: Self.belt)
        let second = try Bench(besides: first)
        try second.startSimulator(scenario: "devices: { tap: { bonded: true } }")
        try second.startBridge(environment: ["TACTILE_BRIDGE_BRIDGE_ID": "other"])
        try first.watcher.expectAll(
            ["bridge/other/availability": "online"], within: .seconds(15), fromStart: true)
        try first.publish("bridge/all/request/health_check", "")
        try first.watcher.expectAll(
            ["bridge/test/response/health_check": nil, "bridge/other/response/health_check": nil],
            within: .seconds(10))
        let answers = first.watcher.seen.filter { $0.topic.hasSuffix("/response/health_check") }
        #expect(answers.count == 2 && answers.allSatisfy { $0.json["status"] == "ok" }, "\(answers)")
    }

    @Test("A device that refuses the bond causes an event with its code")
    func refusedBond() throws {
        let bench = try Bench()
        try bench.startSimulator(
            scenario: "devices: { belt: { choices: { wait_signal: off, pairing: mode } } }")
        try bench.startBridge()
        let event = try bench.watcher.expect("bridge/test/event", within: .seconds(30)) {
            $0.json["event"] == "device_failed" && $0.json["reason_code"] == "pairing_failed"
        }
        #expect(event.json["device"] == "belt", "\(event)")
        #expect(event.json["reason"]?.string?.isEmpty == false)
    }
}
