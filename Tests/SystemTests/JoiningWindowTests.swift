import EventLoop
import Foundation
import HostTesting
import JSON
import Testing

@Suite("Windows in which devices join, and scans", .serialized)
struct JoiningWindowTests {
    private static let permit = ["TACTILE_BRIDGE_BLUETOOTH_JOIN": "permit"]
    private static let taps = ["D7:A9:E0:8C:17:01", "D7:A9:E0:8C:17:02", "D7:A9:E0:8C:17:03"]
    private static let scenario = """
        devices:
          one: { kind: tap, bonded: true, address: "D7:A9:E0:8C:17:01" }
          two: { kind: tap, bonded: true, address: "D7:A9:E0:8C:17:02" }
          three: { kind: tap, bonded: true, address: "D7:A9:E0:8C:17:03" }
        """

    /// Starts a bridge on a host that has paired and connected three TAPs.
    private func withTaps() throws -> Bench {
        let bench = try Bench()
        try bench.startSimulator(scenario: Self.scenario)
        try bench.startBridge(environment: Self.permit)
        for address in Self.taps {
            try bench.watcher.expect("bridge/test/event", within: .seconds(20), fromStart: true) {
                $0.json["event"] == "device_discovered" && $0.json["address"]?.string == address
            }
        }
        return bench
    }

    @Test(
        "TAPs paired with the host join one after the other by address, also after an unsuccessful window")
    func byAddress() throws {
        let bench = try withTaps()
        try bench.expectOK("bridge/test/request/permit_join", "1")
        let end = try bench.watcher.expect("bridge/test/event", within: .seconds(10)) {
            $0.json["event"] == "permit_join_ended"
        }
        #expect(end.json["devices"] == [])
        #expect(end.json["advice"]?.string?.contains("permit_join") == true, "\(end.json)")
        for address in Self.taps {
            try bench.expectOK("bridge/test/request/permit_join", #"{"seconds":20,"address":"\#(address)"}"#)
            let end = try bench.watcher.expect("bridge/test/event", within: .seconds(25)) {
                $0.json["event"] == "permit_join_ended"
            }
            #expect(end.json["reason"] == "admitted")
            #expect(end.json["devices"]?.array?.first?["address"]?.string == address)
        }
    }

    @Test("A window for the family of TAPs admits all bonded TAPs without their addresses")
    func byFamily() throws {
        let bench = try withTaps()
        try bench.expectOK("bridge/test/request/permit_join", #"{"seconds":60,"families":["tap"]}"#)
        let list = try bench.watcher.expect("bridge/test/devices", within: .seconds(30)) { message in
            message.json.array?.count { $0["availability"] == "online" } == Self.taps.count
        }
        #expect(list.json.array?.map { $0["display_name"] } == Array(repeating: "Tap_SIM", count: 3))
    }

    @Test("One request admits twelve bonded TAPs by their addresses")
    func byList() throws {
        let addresses = (1...12).map { "D7:A9:E0:8C:18:\($0 + 10)" }
        let lines = addresses.map { "  tap\($0.suffix(2)): { kind: tap, bonded: true, address: \"\($0)\" }" }
        let bench = try Bench()
        try bench.startSimulator(scenario: "devices:\n" + lines.joined(separator: "\n"))
        try bench.startBridge(environment: Self.permit)
        try bench.watcher.expect("bridge/test/availability", "online")
        let start = EventLoop.now
        let list = addresses.map { "\"\($0)\"" }.joined(separator: ",")
        let answer = try bench.ask(
            "bridge/test/request/permit_join", #"{"seconds":60,"addresses":[\#(list)]}"#)
        #expect(answer["status"] == "ok" && answer["max"] == 12, "\(answer)")
        let end = try bench.watcher.expect("bridge/test/event", within: .seconds(60)) {
            $0.json["event"] == "permit_join_ended"
        }
        print("12 bonded TAPs with one request: \(EventLoop.now - start)")
        #expect(end.json["reason"] == "admitted" && end.json["missing"] == nil, "\(end.json)")
        let joined = end.json["devices"]?.array?.compactMap { $0["address"]?.string } ?? []
        #expect(joined.sorted() == addresses)
    }

    @Test("fleet join lets the devices of a list join, reports the others, and ends joining")
    func byCommand() throws {
        let bench = try withTaps()
        func fleet(_ arguments: [String]) throws -> (text: String, status: Int32) {
            let program = try Program(
                "tactile-bridge", ["fleet", "join"] + arguments,
                environment: [
                    "TACTILE_BRIDGE_MQTT_HOST": "127.0.0.1",
                    "TACTILE_BRIDGE_MQTT_PORT": "\(bench.broker.port)",
                ])
            var text = ""
            while let line = program.nextLine(within: .seconds(60)) { text += line + "\n" }
            return (text, program.wait())
        }
        let gone = "D7:A9:E0:8C:17:99"
        let list = try bench.folder.write(
            "# three TAPs\n" + Self.taps.joined(separator: "\n") + "\n\(gone) # switched off\n",
            to: "taps.txt")
        let first = try fleet(["--file", list, "--seconds", "15"])
        for address in Self.taps {
            #expect(first.text.contains("\(address): joined as tap"), "\(first.text)")
        }
        #expect(first.text.contains("\(gone): did not join") && first.status == 1, "\(first.text)")
        try bench.watcher.expect("bridge/test/event", within: .seconds(10), fromStart: true) {
            $0.json["event"] == "permit_join_ended" && $0.json["missing"] == [.string(gone)]
        }
        let again = try fleet(Self.taps)
        #expect(again.status == 0, "\(again.text)")
        for address in Self.taps { #expect(again.text.contains("\(address): already known as tap")) }
        let refused = try fleet([gone, "--bridge", "cellar"])
        #expect(refused.status == 1 && refused.text.contains("allowed: test"), "\(refused.text)")
    }

    private static let lamp = """
        version: 1
        family: lamp
        title: Example lamp
        source: https://example.org/lamp
        match: [ { name: "ESP32_BLE_Lamp", service: ffe0 } ]
        naming: each
        characteristics:
          light: { service: ffe0, uuid: ffe1 }
        setup: [ { subscribe: light } ]
        features:
          brightness:
            summary: How bright it is.
            kind: state
            from: light
            packet: [ { brightness: u8, unit: "%" } ]

        """

    @Test(
        "A scan lists devices in range with all matching families; a lamp joins as a lamp even with a robot's name"
    )
    func lampAmongRobots() throws {
        let bench = try Bench()
        let folder = bench.folder.file("devices")
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        let file = "\(folder)/lamp.yaml"
        try Self.lamp.write(toFile: file, atomically: true, encoding: .utf8)
        try bench.startSimulator(
            scenario: """
                devices:
                  hall: { kind: file, file: \(file), bluetooth_name: ESP32_BLE_Lamp, address: "C0:FF:EE:00:00:07" }
                  belt: { choices: { wait_signal: off } }
                """)
        try bench.startBridge(
            environment: Self.permit.merging(["TACTILE_BRIDGE_DEVICES_DIRECTORY": folder]) { $1 })
        try bench.watcher.expect("bridge/test/availability", "online")
        let scan = try bench.ask("bridge/test/request/scan", "3")
        #expect(scan["status"] == "ok")
        let found = try #require(scan["devices"]?.array)
        let lamp = try #require(found.first { $0["address"] == "C0:FF:EE:00:00:07" })
        #expect(lamp["families"] == ["lamp", "robot"] && lamp["name"] == "ESP32_BLE_Lamp")
        #expect(lamp["device"] == .null && lamp["rssi"]?.integer != nil)
        #expect(found.contains { $0["families"] == ["belt"] })
        #expect(!bench.watcher.seen.contains { $0.topic.hasSuffix("/connection") })

        try bench.expectOK(
            "bridge/test/request/permit_join", #"{"seconds":60,"address":"C0:FF:EE:00:00:07"}"#)
        let joined = try bench.watcher.expect("bridge/test/devices", within: .seconds(30)) {
            $0.json.array?.contains { $0["availability"] == "online" } ?? false
        }
        #expect(joined.json.array?.first?["family"] == "lamp")
    }
}
