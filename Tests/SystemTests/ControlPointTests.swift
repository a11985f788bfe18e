import Foundation
import HostTesting
import JSON
import Testing

@Suite("Control points, from the broker to the simulator", .serialized)
struct ControlPointTests {
    private static let files = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "DeviceFilesTests/Files").path

    /// Starts a device of a file, and waits until it is online.
    private func start(_ family: String, _ options: String) throws -> Bench {
        let bench = try Bench()
        let file = "\(Self.files)/\(family).yaml"
        try FileManager.default.createDirectory(
            atPath: bench.folder.file("devices"), withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            atPath: file, toPath: bench.folder.file("devices/\(family).yaml"))
        try bench.startSimulator(
            scenario:
                "devices: { one: { kind: file, file: \(file), address: \"C0:FF:EE:00:00:01\", \(options) } }")
        try bench.startBridge(
            configuration: "devices: { one: { family: \(family), address: \"C0:FF:EE:00:00:01\" } }",
            environment: ["TACTILE_BRIDGE_DEVICES_DIRECTORY": bench.folder.file("devices")])
        try bench.watcher.expect("one/availability", "online", within: .seconds(20))
        return bench
    }

    @Test("A refusal has its reason, an answer its values, and a read is a command")
    func power() throws {
        let bench = try start(
            "power",
            """
            values: { feature: "08120000", charge: "2a" }, on_write: [
              { match_hex: "0c", notify: { control: "200c04" } },
              { match_hex: "05", notify: { control: "2005015901" } } ]
            """)
        let refused = try bench.ask("one/calibrate/set", "")
        #expect(refused["code"] == "device_error" && refused["refused"] == ["result": "failed"], "\(refused)")
        #expect(try bench.ask("one/read_crank_length/set", "")["values"] == ["length": 172.5])
        // The simulator answers other requests with the packet of the file.
        try bench.expectOK("one/crank_length/set", "172.5")
        #expect(try bench.ask("one/read_battery/set", "")["values"] == ["level": 42])
        try bench.watcher.expect("one/battery", within: .seconds(5), fromStart: true) {
            $0.json == ["level": 42]
        }
    }

    @Test("The setup of a trainer depends on its abilities, and so do its commands")
    func trainer() throws {
        let bench = try start("trainer", "values: { feature: \"0240000008000000\" }")
        try bench.expectOK("one/target_power/set", "200")
        #expect(try bench.ask("one/simulation/set", "1")["code"] == "not_supported")
        try bench.act("one notify data 44002a0db400c800")
        try bench.watcher.expect("one/ride", within: .seconds(5)) { $0.json["power"] == 200 }
    }
}
