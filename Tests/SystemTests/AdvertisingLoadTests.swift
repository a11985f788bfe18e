import EventLoop
import Foundation
import Glibc
import HostTesting
import JSON
import Testing

/// The processor time of the bridge for advertisements. The values in docs/measurements are of the release build in
/// `TACTILE_BRIDGE_BIN`; the limits apply to it only.
@Suite("The cost of advertisements", .serialized)
struct AdvertisingLoadTests {
    private static let seconds = 10
    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path

    /// The device file of devices that the bridge does not know. The company is not assigned.
    private static let stranger = """
        version: 2
        family: stranger
        title: Unknown device
        source: this test
        match: [ { manufacturer: 65534 } ]
        connect: never
        advertisements: { data: { manufacturer_data: 65534 } }
        features:
          value: { summary: A value., kind: state, from: data, packet: [ { value: u32 } ] }
        """

    /// Sends advertisements at a steady rate, and returns the processor times a report, in microseconds.
    private func cost(
        _ bench: Bench, of rate: Int, _ line: (Int) -> String
    ) throws -> (bridge: Double, simulator: Double, signals: Int) {
        let (bridge, simulator) = (try #require(bench.bridge), try #require(bench.simulator))
        /// Reads what the programs print, which would block them, until a time.
        func read(until end: Duration) {
            while simulator.nextLine(within: .milliseconds(1)) != nil {}
            while bridge.nextLine(within: end - EventLoop.now) != nil {}
        }
        // The first reports are those of new objects.
        for number in 0..<(rate * 2) { try bench.act(line(number)) }
        read(until: EventLoop.now)
        let signals = bench.folder.file("signals")
        let monitor = try TestProcess(
            [
                "sh", "-c",
                "exec dbus-monitor --profile --address '\(bench.bus.address)' \"type='signal',member='PropertiesChanged'\" > \(signals)",
            ])
        // The program prints a heading once it is ready.
        let deadline = EventLoop.now + .seconds(10)
        while (try? String(contentsOfFile: signals, encoding: .utf8))?.isEmpty ?? true, EventLoop.now < deadline {
            read(until: EventLoop.now + .milliseconds(50))
        }
        let start = (try #require(bridge.processorTime), try #require(simulator.processorTime))
        let begin = EventLoop.now
        for second in 0..<Self.seconds {
            for tenth in 0..<10 {
                let first = rate * 2 + second * rate + tenth * rate / 10
                for number in first..<(first + rate / 10) { try bench.act(line(number)) }
                read(until: begin + .milliseconds(second * 1000 + tenth * 100 + 100))
            }
        }
        let used = (
            try #require(bridge.processorTime) - start.0, try #require(simulator.processorTime) - start.1
        )
        monitor.end(with: SIGTERM)
        let lines = try String(contentsOfFile: signals, encoding: .utf8).split(separator: "\n")
        let count = lines.count { $0.hasPrefix("sig") && $0.contains("/dev_") }
        return (used.0 / .microseconds(1) / Double(count), used.1 / .microseconds(1) / Double(count), count)
    }

    private static var isReleased: Bool { Program.folder.contains("release") }

    @Test("A report of a device that no family matches costs at most 15 µs, at 490 reports a second")
    func strangers() throws {
        let bench = try Bench()
        let file = try bench.folder.write(Self.stranger, to: "stranger.yaml")
        let devices = (0..<49).map { number in
            "  s\(number): { kind: file, file: \(file), address: \"C0:FF:EE:00:01:\(number + 10)\" }"
        }
        try bench.startSimulator(scenario: "devices:\n" + devices.joined(separator: "\n") + "\n")
        // A device that is away lets discovery run.
        try bench.startBridge(
            configuration: """
                devices:
                  porch: { family: bthome, address: "C0:FF:EE:00:00:01" }
                """, environment: ["TACTILE_BRIDGE_BLUETOOTH_JOIN": "configured"], logLevel: "info")
        try bench.watcher.expect("porch/connection", within: .seconds(20), fromStart: true) {
            $0.json["state"] == "searching"
        }
        let cost = try cost(bench, of: 490) { number in
            "s\(number % 49) advertise data \(Self.hex(number, bytes: 4))"
        }
        print(
            "strangers: \(cost.signals) reports in \(Self.seconds) s; bridge \(cost.bridge) µs, simulator \(cost.simulator) µs a report"
        )
        #expect(cost.signals > 4000, "the simulator and the bus keep up")
        if Self.isReleased { #expect(cost.bridge <= 15) }
    }

    @Test("A packet of 60 BTHome sensors, one a second each, costs at most 100 µs")
    func sensors() throws {
        let bench = try Bench()
        let file = "\(Self.root)/config/devices/bthome.yaml"
        let addresses = (0..<60).map { "C0:FF:EE:00:02:\($0 + 10)" }
        let devices = addresses.enumerated().map { number, address in
            "  b\(number): { kind: file, file: \(file), address: \"\(address)\", values: { data: \"400161\" } }"
        }
        try bench.startSimulator(scenario: "devices:\n" + devices.joined(separator: "\n") + "\n")
        let configured = addresses.enumerated().map { number, address in
            "  b\(number): { family: bthome, address: \"\(address)\" }"
        }
        try bench.startBridge(
            configuration: "devices:\n" + configured.joined(separator: "\n") + "\n",
            environment: ["TACTILE_BRIDGE_BLUETOOTH_JOIN": "configured"], logLevel: "info")
        var wanted: [String: String?] = [:]
        for number in addresses.indices { wanted["b\(number)/availability"] = "online" }
        try bench.watcher.expectAll(wanted, within: .seconds(60))
        bench.stopWatching()
        let cost = try cost(bench, of: 60) { number in
            let value = Self.hex(number % 4000, bytes: 2)
            return "b\(number % 60) advertise data 4000\(Self.hex(number / 60, bytes: 1))02\(value)"
        }
        print(
            "60 sensors: \(cost.signals) packets in \(Self.seconds) s; bridge \(cost.bridge) µs, simulator \(cost.simulator) µs a packet"
        )
        #expect(cost.signals > 500, "the simulator and the bus keep up")
        if Self.isReleased { #expect(cost.bridge <= 100) }
    }

    /// The little-endian bytes of a number.
    private static func hex(_ number: Int, bytes: Int) -> String {
        (0..<bytes).map { index in
            let byte = number >> (8 * index) & 0xFF
            return String(byte >> 4, radix: 16) + String(byte & 0xF, radix: 16)
        }.joined()
    }
}
