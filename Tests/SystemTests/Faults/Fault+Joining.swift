import EventLoop
import Glibc
import HostTesting
import JSON
import Testing

// Devices that must not join.
extension Fault {
    static let joining = [
        Fault(
            .device,
            "an impostor in a plain `permit_join`: a belt's name and service, and a keyboard (HID, `1812`)",
            holds:
                "disconnected when its services are known, its new bond removed; the event states why; "
                + "the belt joins",
            counted: "`permit_join` … `device_left`", within: .seconds(10)
        ) { try impostor("1812") },
        Fault(
            .device, "an impostor that asks for the classic radio's keyboard service (`1124`)",
            holds:
                "the agent refuses it, it is never trusted; disconnected, its new bond removed; the belt "
                + "joins",
            counted: "`permit_join` … `device_left`", within: .seconds(10)
        ) { try impostor("1124") },
        Fault(
            .device, "500 look-alikes in one `permit_join` of 5 s",
            holds: "one joins, and the window closes; `permit_join_ended` names it",
            counted: "`permit_join` … `permit_join_ended`", within: .seconds(10)
        ) { try window() },
    ]

    private static let permit = ["TACTILE_BRIDGE_BLUETOOTH_JOIN": "permit"]
    private static let events = "bridge/test/event"

    private static func impostor(_ service: String) throws -> Duration {
        let bench = try Bench()
        let bonds = bench.folder.file("bonds")
        let simulator = try bench.startSimulator(
            scenario: """
                bluez: { memory_file: \(bonds) }
                devices:
                  belt: { kind: belt, address: "C0:FF:EE:00:BE:01", choices: { pairing: anytime } }
                  fake:
                    kind: belt
                    address: "C0:FF:EE:00:BE:66"
                    also_has: ["\(service)"]
                    choices: { pairing: anytime }
                """)
        try bench.arrange(["mute belt"])
        try bench.startBridge(environment: permit)
        try bench.watcher.expect("bridge/test/availability", "online")
        let time = try time {
            try bench.expectOK("bridge/test/request/permit_join", "60")
            let left = try bench.watcher.expect(events, within: .seconds(15)) {
                $0.json["event"] == "device_left"
            }.json
            #expect(left["address"] == "C0:FF:EE:00:BE:66")
            #expect(left["reason"]?.string?.contains("keyboard (service \(service))") == true)
        }
        try bench.watcher.expect(events, within: .seconds(5), fromStart: true) {
            $0.json["event"] == "device_failed" && $0.json["address"] == "C0:FF:EE:00:BE:66"
        }
        #expect(!bench.watcher.seen.contains { $0.topic == "belt/availability" && $0.payload == "online" })
        if service == "1124" {
            let input = try simulator.expect("its question") { $0["event"] == "input" }
            #expect(input["granted"] == "false")
        }
        // The belt appears late: the window is open for it, and it alone bonds.
        try bench.arrange(["unmute belt"])
        try bench.watcher.expect("belt/availability", "online", within: .seconds(20))
        let end = try bench.watcher.expect(events, within: .seconds(5), fromStart: true) {
            $0.json["event"] == "permit_join_ended"
        }.json
        #expect(end["reason"] == "admitted")
        #expect(end["devices"]?.array?.map { $0["address"] } == ["C0:FF:EE:00:BE:01"])
        try bench.expectOK("belt/intensity/set", "55")
        let kept = try TestProcess.run(["cat", bonds])
        #expect(kept.contains("C0:FF:EE:00:BE:01") && !kept.contains("C0:FF:EE:00:BE:66"), "\(kept)")
        if service == "1124" {
            simulator.end(with: SIGTERM)
            while let line = simulator.nextLine(within: .seconds(1)) {
                #expect(!(line.contains("\"input\"") && line.contains("true")), "\(line)")
            }
        }
        return time
    }

    private static func window() throws -> Duration {
        let bench = try Bench()
        try bench.startSimulator(
            scenario: "devices: { belt: { kind: belt, address: \"C0:FF:EE:00:00:01\", count: 500 } }")
        try bench.startBridge(environment: permit)
        try bench.watcher.expect("bridge/test/availability", "online")
        var end = JSON.Value.null
        let time = try time {
            try bench.expectOK("bridge/test/request/permit_join", "5")
            end = try bench.watcher.expect(events, within: .seconds(15)) {
                $0.json["event"] == "permit_join_ended"
            }.json
        }
        #expect(end["reason"] == "admitted")
        #expect(end["devices"]?.array?.count == 1)
        let devices = try bench.ask("bridge/test/request/devices", "")["devices"]?.array
        #expect(devices?.count == 1 && devices?.first?["availability"] == "online")
        #expect(bench.watcher.seen.count { $0.topic == events && $0.json["event"] == "device_joined" } == 1)
        return time
    }
}
