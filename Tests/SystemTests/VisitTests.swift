import Foundation
import HostTesting
import JSON
import Testing

@Suite("Devices that are visited, from the simulator to the broker", .serialized)
struct VisitTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path

    @Test("The bridge reads a plant sensor and disconnects; a command causes a visit")
    func values() throws {
        let bench = try Bench()
        try bench.startSimulator(
            scenario: """
                devices:
                  fern: { kind: file, file: \(Self.root)/config/devices/flower.yaml, address: "C4:7C:8D:00:00:01" }
                """)
        try bench.startBridge(
            configuration: """
                devices:
                  fern: { family: flower, address: "C4:7C:8D:00:00:01" }
                """)
        try bench.watcher.expect("fern/plant", within: .seconds(20), fromStart: true) {
            $0.json == ["temperature": 24.7, "light": 19, "moisture": 37, "conductivity": 1269]
        }
        try bench.watcher.expect("fern/connection", within: .seconds(10), fromStart: true) {
            $0.json["reason_code"] == "between_visits" && $0.json["state"] == "disconnected"
        }
        let devices = try bench.ask("bridge/test/request/devices", "")["devices"]?.array
        #expect(devices?.first?["availability"] == "online")
        try bench.publish("fern/blink/set", "")
        try bench.watcher.expect("fern/result", within: .seconds(25)) { $0.json["status"] == "ok" }
        try bench.watcher.expect("fern/connection", within: .seconds(10)) {
            $0.json["reason_code"] == "between_visits"
        }
    }
}
