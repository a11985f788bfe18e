import EventLoop
import Foundation
import Glibc
import HostTesting
import JSON
import Testing

@Suite(
    "Devices of device files through the distribution's bluetoothd", .serialized,
    .enabled(if: RealBench.isThere, RealBench.remark))
struct RealBlueZFileTests {
    private static let files = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "config/devices").path

    /// A device that only its manufacturer data identifies.
    private static let tag = """
        version: 1
        family: tag
        title: Example tag
        source: https://example.org/tag
        match: [ { manufacturer: 0x0059, data: "02..07" } ]
        bonding: never
        characteristics:
          light: { service: ffe0, uuid: ffe1 }
        setup: [ { subscribe: light } ]
        features:
          light:
            summary: How bright it is.
            kind: state
            from: light
            packet: [ { light: u8 } ]
            command:
              fields: { light: { type: integer, minimum: 0, maximum: 100, required: true } }
              shorthand: light
              write: { to: light, packet: [ { light: u8 } ] }

        """

    @Test(
        "Straps, serial text, a wristband and a tag join, report, are commanded and stopped, next to BlueZ's own strap"
    )
    func files() throws {
        // Both register on the first adapter, hci0. On an emulated processor they need seconds to start.
        let strap = try Example("example-gatt-server")
        let advertisement = try Example("example-advertisement")
        let folder = try TemporaryDirectory()
        let tag = try folder.write(Self.tag, to: "tag.yaml")
        let bench = try RealBench(
            scenario: """
                devices:
                  chest: { kind: file, file: \(Self.files)/heart.yaml, values: { charge: "57" } }
                  serial: { kind: file, file: \(Self.files)/uart.yaml, bluetooth_name: ESP32 }
                  wrist: { kind: file, file: \(Self.files)/buzz.yaml, bluetooth_name: Buzz 1 }
                  tag: { kind: file, file: \(tag) }
                """, adapters: 4, hosts: "hci5",
            configuration: """
                devices_directory: \(folder.path)
                devices:
                  chest: { family: heart, address: "02:B1:7E:00:00:01" }
                  serial: { family: uart, address: "02:B1:7E:00:00:02" }
                  wrist: { family: buzz, address: "02:B1:7E:00:00:03" }

                """)
        try strap.expect("GATT application registered")
        try advertisement.expect("Advertisement registered")
        bench.note("everything is started")

        try join(bench)
        try hear(bench)
        try command(bench)
        try hearForeign(bench, strap)
        try stop(bench)
    }

    /// Lets the devices join that are not configured; their advertisements match these families.
    private func join(_ bench: RealBench) throws {
        // The broker discards a request to a bridge that is not subscribed yet.
        try bench.watcher.expect("bridge/test/info", within: .seconds(60), fromStart: true) {
            $0.json["adapters"]?.array?.isEmpty == false && $0.json["bluez"]?.string?.isEmpty == false
        }
        let answer = try bench.ask(
            "bridge/test/request/permit_join", #"{"seconds":120,"max":2,"families":["heart","tag"]}"#)
        #expect(answer["status"] == "ok", "\(answer)")
        let names = ["chest", "serial", "wrist", "tag", "heart/000000"]
        try bench.watcher.expectAll(
            Dictionary(uniqueKeysWithValues: names.map { ("\($0)/availability", "online") }),
            within: .seconds(150), fromStart: true)
        bench.note("all five are online")
        // The bridge reads the battery level and the body location of a strap.
        try bench.watcher.expectAll(
            ["chest/battery": #"{"level":87}"#, "heart/000000/location": "chest"],
            within: .seconds(20), fromStart: true)
        let connection = bench.watcher.seen.last { $0.topic == "tag/connection" }?.json
        #expect(connection?["bluetooth_adapter"] == "hci5")
    }

    /// Sends a notification from each device.
    private func hear(_ bench: RealBench) throws {
        try bench.simulator.type("chest notify measurement 164855036603")
        try bench.simulator.type("serial notify tx hello")
        try bench.simulator.type(#"wrist notify tx {"data":{"battery_soc":7}}"#)
        try bench.simulator.type(#"tag light {"light":40}"#)
        var beat: JSON.Value?
        var line: JSON.Value?
        var open = [
            "chest/rate": "72", "chest/contact": "present", "wrist/battery": #"{"level":7}"#,
            "tag/light": "40",
        ]
        let end = EventLoop.now + .seconds(20)
        while !open.isEmpty || beat == nil || line == nil,
            let message = bench.watcher.next(within: end - EventLoop.now)
        {
            if open[message.topic] == message.payload { open[message.topic] = nil }
            if message.topic == "chest/beat" { beat = message.json }
            if message.topic == "serial/line" { line = message.json }
        }
        #expect(open == [:])
        #expect(beat?["rr_ms"] == [833, 849.6])
        #expect(line?["text"] == "hello")
    }

    /// Sends a command to each device.
    private func command(_ bench: RealBench) throws {
        try expectOK(bench, "serial/line/set", "led on")
        try expectText(bench, "led on\n")
        try expectOK(bench, "wrist/motors/set", "[255,0,0,0]")
        try expectText(bench, "motors vibrate /wAAAA==\n")
        try expectOK(bench, "tag/light/set", "7")
        try bench.simulator.expect("the light", within: .seconds(20)) {
            $0["event"] == "write" && $0["device"] == "tag" && $0["hex"] == "07"
        }
        try expectOK(bench, "chest/reset_energy/set", "{}")
        try bench.simulator.expect("the reset", within: .seconds(20)) {
            $0["event"] == "write" && $0["device"] == "chest" && $0["hex"] == "01"
        }
    }

    /// BlueZ's example strap: a new rate each second, the energy with every tenth, a battery that drains.
    private func hearForeign(_ bench: RealBench, _ strap: Example) throws {
        let name = "heart/000000"
        for _ in 0..<2 {
            let rate = try bench.watcher.expect("\(name)/rate", within: .seconds(20)).payload
            #expect((90...130).contains(Int(rate) ?? 0), "\(rate)")
        }
        let contact = bench.watcher.seen.last { $0.topic == "\(name)/contact" }
        #expect(contact?.payload == "present")
        let battery = bench.watcher.seen.last { $0.topic == "\(name)/battery" }
        #expect((0...100).contains(battery?.json["level"]?.integer ?? -1), "\(battery?.payload ?? "nothing")")
        try expectOK(bench, "\(name)/reset_energy/set", "{}")
        try strap.expect("Energy Expended field reset!")
        let energy = try bench.watcher.expect("\(name)/energy", within: .seconds(20)).json
        #expect((0...15).contains(energy.integer ?? -1), "\(energy)")
    }

    /// Silences the motors with the stop of all devices, and with the guardian after the bridge was killed.
    private func stop(_ bench: RealBench) throws {
        try expectOK(bench, "wrist/motors/set", "[255,255,255,255]")
        try expectText(bench, "motors vibrate /////w==\n")
        let start = EventLoop.now
        let answer = try bench.ask("all/stop/set", "now")
        #expect(answer["status"] == "ok", "\(answer)")
        try expectText(bench, "motors vibrate AAAAAA==\n")
        bench.note("all/stop/set: the stop is written after at most \(EventLoop.now - start)")

        try expectOK(bench, "wrist/motors/set", "[9,9,9,9]")
        try expectText(bench, "motors vibrate CQkJCQ==\n")
        let death = EventLoop.now
        bench.bridge.end(with: SIGKILL)
        try expectText(bench, "motors stop\n")
        let time = EventLoop.now - death
        bench.note("kill -9: the will is written after \(time)")
        #expect(time < .seconds(2))
        try bench.simulator.expect("the wristband's link is closed", within: .seconds(20)) {
            $0["event"] == "link" && $0["device"] == "wrist" && $0["connected"] == false
        }
    }

    private func expectOK(_ bench: RealBench, _ topic: String, _ payload: String) throws {
        let answer = try bench.ask(topic, payload)
        #expect(answer["status"] == "ok", "\(topic) \(payload): \(answer)")
    }

    /// Waits until a text was written to the serial port or to the wristband, in one write or in the pieces
    /// of a split one.
    private func expectText(_ bench: RealBench, _ text: String) throws {
        let digits = text.utf8.map { String(format: "%02x", $0) }.joined()
        var written = ""
        try bench.simulator.expect("the text \(text)", within: .seconds(20)) { report in
            guard report["event"] == "write", ["serial", "wrist"].contains(report["device"]?.string) else {
                return false
            }
            written += report["hex"]?.string ?? ""
            return written.hasSuffix(digits)
        }
    }
}

/// An example program of BlueZ: a peripheral that is not part of this project.
private struct Example {
    private let process: TestProcess

    init(_ name: String) throws {
        let path = "/usr/share/doc/bluez-test-scripts/examples/\(name)"
        guard FileManager.default.fileExists(atPath: path) else {
            throw Missing(what: "\(path), which deploy/needs test installs", seen: [])
        }
        // Debian's Python, which alone has Debian's modules.
        process = try TestProcess(["/usr/bin/python3", "-u", "-W", "ignore", path])
    }

    func expect(_ line: String) throws {
        var last: [String] = []
        let end = EventLoop.now + .seconds(90)
        while let next = process.nextLine(within: end - EventLoop.now) {
            if next == line { return }
            last = last.suffix(20) + [next]
        }
        throw Missing(what: line, seen: last)
    }
}
