import EventLoop
import Foundation
import HostTesting
import JSON
import Testing

@Suite(
    "Devices of version 2 files through the distribution's bluetoothd", .serialized,
    .enabled(if: RealBench.isThere, RealBench.remark))
struct RealBlueZVersion2Tests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path

    @Test(
        "A plant sensor is visited, a lamp has a brightness, a power meter refuses, a trainer and a scale are set up"
    )
    func files() throws {
        let folder = try TemporaryDirectory()
        let samples = "\(Self.root)/Tests/DeviceFilesTests/Files"
        for family in ["power", "trainer", "scale"] {
            try FileManager.default.copyItem(
                atPath: "\(samples)/\(family).yaml", toPath: folder.file("\(family).yaml"))
        }
        let bench = try RealBench(
            scenario: """
                devices:
                  fern: { kind: file, file: \(Self.root)/config/devices/flower.yaml }
                  lamp:
                    kind: file
                    file: \(Self.root)/config/devices/triones.yaml
                    on_write: [ { match_hex: "ef0177", notify: { state: "661523412000ff0000000699" } } ]
                  meter:
                    kind: file
                    file: \(samples)/power.yaml
                    values: { feature: "08120000", charge: "2a" }
                    on_write: [ { match_hex: "0c", notify: { control: "200c04" } }, { match_hex: "05", notify: { control: "2005015901" } } ]
                  trainer: { kind: file, file: \(samples)/trainer.yaml, values: { feature: "0240000008000000" } }
                  scale: { kind: file, file: \(samples)/scale.yaml, values: { feature: "07000000", charge: "55" } }
                """, adapters: 5,
            configuration: """
                devices_directory: \(folder.path)
                devices:
                  fern: { family: flower, address: "02:B1:7E:00:00:01" }
                  lamp: { family: triones, address: "02:B1:7E:00:00:02" }
                  meter: { family: power, address: "02:B1:7E:00:00:03" }
                  trainer: { family: trainer, address: "02:B1:7E:00:00:04" }
                  scale: { family: scale, address: "02:B1:7E:00:00:05" }

                """)
        let names = ["fern", "lamp", "meter", "trainer", "scale"]
        try bench.watcher.expectAll(
            Dictionary(uniqueKeysWithValues: names.map { ("\($0)/availability", "online") }),
            within: .seconds(150), fromStart: true)
        bench.note("all five are online")
        try visit(bench)
        try light(bench)
        try control(bench)
    }

    /// The bridge has read the plant sensor and disconnected; a command causes another visit.
    private func visit(_ bench: RealBench) throws {
        try bench.watcher.expect("fern/plant", within: .seconds(20), fromStart: true) {
            $0.json == ["temperature": 24.7, "light": 19, "moisture": 37, "conductivity": 1269]
        }
        try bench.watcher.expect("fern/connection", within: .seconds(60), fromStart: true) {
            $0.json["reason_code"] == "between_visits" && $0.json["state"] == "disconnected"
        }
        try bench.publish("fern/blink/set", "")
        try bench.simulator.expect("the blink", within: .seconds(40)) {
            $0["event"] == "write" && $0["device"] == "fern" && $0["hex"] == "fdff"
        }
        try bench.watcher.expect("fern/result", within: .seconds(20)) { $0.json["status"] == "ok" }
        bench.note("the plant sensor was visited twice")
    }

    /// The lamp reports its state on request, and a brightness scales its color.
    private func light(_ bench: RealBench) throws {
        try bench.watcher.expect("lamp/light", within: .seconds(20), fromStart: true) {
            $0.json["power"] == "on" && $0.json["brightness"] == 255 && $0.json["color"] == [255, 0, 0]
        }
        let answer = try bench.ask("lamp/light/set", #"{"brightness":128}"#)
        #expect(answer["status"] == "ok", "\(answer)")
        try bench.simulator.expect("the darker red", within: .seconds(20)) {
            $0["event"] == "write" && $0["device"] == "lamp" && $0["hex"] == "5680000000f0aa"
        }
    }

    /// The meter refuses one request and answers another; the trainer and the scale accept commands of their abilities.
    private func control(_ bench: RealBench) throws {
        let refused = try bench.ask("meter/calibrate/set", "")
        #expect(refused["code"] == "device_error" && refused["refused"] == ["result": "failed"], "\(refused)")
        let length = try bench.ask("meter/read_crank_length/set", "")
        #expect(length["values"] == ["length": 172.5], "\(length)")
        #expect(try bench.ask("trainer/target_power/set", "200")["status"] == "ok")
        #expect(try bench.ask("trainer/simulation/set", "1")["code"] == "not_supported")
        let clock = try bench.ask("scale/set_clock/set", "")
        #expect(clock["status"] == "ok" && clock["values"]?["clock"]?.string != nil, "\(clock)")
        try bench.simulator.type("scale notify weight 01803e")
        try bench.watcher.expect("scale/weighing", within: .seconds(20)) { $0.json["weight_lb"] == 160 }
    }
}
