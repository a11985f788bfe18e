import HostTesting
import JSON
import Testing

@Suite("An adapter with no free connections", .serialized)
struct SlotTests {
    private static let scenario = """
        devices:
          belt: { address: "C0:FF:EE:00:BE:01" }
          far: { kind: belt, address: "C0:FF:EE:00:BE:02" }
          robot: { address: "C0:FF:EE:00:BE:03" }
        """
    private static let configuration = """
        devices:
          belt: { family: belt, address: "C0:FF:EE:00:BE:01" }
          far: { family: belt, address: "C0:FF:EE:00:BE:02" }
          robot: { family: robot, address: "C0:FF:EE:00:BE:03" }
        """

    private func start(slots: Int?) throws -> Bench {
        let bench = try Bench()
        try bench.startSimulator(scenario: Self.scenario)
        try bench.startBridge(
            configuration: Self.configuration,
            environment: slots.map { ["TACTILE_BRIDGE_BLUETOOTH_SLOTS": "\($0)"] } ?? [:])
        return bench
    }

    private func expectNoOffer(_ device: String, _ code: JSON.Value, _ bench: Bench) throws {
        try bench.watcher.expect("bridge/test/devices") { message in
            message.json.array?.contains { $0["name"]?.string == device && $0["no_offer"] == code } ?? false
        }
    }

    @Test("A refused connection is reported with its reason, and made when another connection ends")
    func refused() throws {
        let bench = try start(slots: nil)
        for device in ["belt", "robot", "far"] {
            try bench.watcher.expect("\(device)/availability", "online", within: .seconds(20))
        }
        try bench.act("adapter links 2")
        try bench.act("drop belt")
        try bench.watcher.expect("belt/connection") { message in
            message.json["reason_code"] == "no_slot" && message.json["advice_code"] == "free_slot"
        }
        try expectNoOffer("belt", "no_slot", bench)
        try bench.watcher.expect("bridge/test/info") { $0.json["slots"] == 0 }
        try bench.expectOK("bridge/test/request/disconnect", "far")
        try bench.watcher.expect("belt/availability", "online")
        try expectNoOffer("belt", .null, bench)
    }

    @Test("The setting applies from the start, and one device more than it allows waits")
    func setting() throws {
        let bench = try start(slots: 2)
        var waiting = ""
        try bench.watcher.expect("bridge/test/devices", within: .seconds(20)) { message in
            let found = message.json.array?.filter { $0["no_offer"] == "no_slot" } ?? []
            waiting = found.first?["name"]?.string ?? ""
            let online = message.json.array?.count { $0["availability"] == "online" }
            return found.count == 1 && online == 2
        }
        let other = try #require(["belt", "far", "robot"].first { $0 != waiting })
        try bench.expectOK("bridge/test/request/disconnect", other)
        try bench.watcher.expect("\(waiting)/availability", "online")
    }
}
