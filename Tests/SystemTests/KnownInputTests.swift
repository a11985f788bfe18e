import EventLoop
import Glibc
import HostTesting
import JSON
import Testing

@Suite("Known devices that turn out to be keyboards", .serialized)
struct KnownInputTests {
    @Test("A configured robot receives its zero commands before it is disconnected")
    func robot() throws {
        let bench = try Bench()
        let simulator = try bench.startSimulator(
            scenario: """
                devices:
                  robot:
                    address: "C0:FF:EE:00:B0:01"
                    bonded: true
                    also_has: ["1812"]
                """)
        try bench.startBridge(
            configuration: "devices: { robot: { family: robot, address: \"C0:FF:EE:00:B0:01\" } }",
            environment: ["TACTILE_BRIDGE_BLUETOOTH_JOIN": "configured"])
        let failed = try bench.watcher.expect("bridge/test/event", within: .seconds(15)) {
            $0.json["event"] == "device_failed"
        }.json
        #expect(failed["reason"]?.string?.contains("service 1812") == true)
        // Movement and rotation to zero, then power off, all before the connection closes.
        for characteristic in ["6e400002", "6e400003", "6e400004"] {
            try simulator.expect("its zeros") {
                $0["event"] == "write" && $0["characteristic"]?.string?.hasPrefix(characteristic) == true
            }
        }
        try simulator.expect("the end of its link") { $0["event"] == "link" && $0["connected"] == false }
        try bench.watcher.expect("robot/connection", fromStart: true) {
            $0.json["state"] == "error"
                && $0.json["advice"]?.string?.contains("permit_join with address") == true
        }
        #expect(!bench.watcher.seen.contains { $0.topic == "robot/availability" && $0.payload == "online" })
    }
}
