import Bluetooth
import DeviceFiles
import DeviceKit
import JSON
import Testing

@Suite("Setup, stops and disconnects of devices with a device file")
struct StopTests {
    private static let closing = """
        stop: { to: in, hex: ff }
        will: [ { to: in, hex: fe } ]
        goodbye: { to: in, hex: fd }
        """

    private static func motor(_ more: String = "latest: true") -> String {
        """
        motor:
          summary: A motor.
          \(more.indented(2).drop { $0 == " " })
          command:
            fields: { level: { type: integer, minimum: 0, maximum: 255 } }
            shorthand: level
            write: { to: in, packet: [ { level: u8 } ] }
        """
    }

    private static func bench(_ more: String = "latest: true", also: String = "") throws -> MachineBench {
        return try MachineBench.online(Sample.text(features: motor(more), more: closing + "\n" + also))
    }

    // MARK: Setup

    @Test("The setup runs step by step, and a failed step makes the device unusable")
    func setup() throws {
        let text = Sample.text(features: Self.motor()).replacing(
            "setup: [ { subscribe: out } ]",
            with:
                "setup: [ { subscribe: out }, { write: { to: in, hex: 01, wait: { from: out, contains: ok } } }, { read: in } ]"
        )
        var bench = try MachineBench(text)
        #expect(bench.connect() == ["subscribe out"])
        #expect(bench.subscribed("out") == ["write in 01"])
        #expect(bench.command("motor", "5") == ["answer 1 device_offline"])
        #expect(bench.written() == [])
        #expect(bench.notify("out", text: "ok") == ["read in"])
        #expect(bench.read("in", "00") == ["ready"])

        _ = bench.connect()
        _ = bench.subscribed("out")
        _ = bench.written()
        #expect(bench.timer("wait.0", after: .seconds(1)) == ["fail handshake"])

        _ = bench.connect()
        #expect(bench.subscribed("out", OperationError(.failed, "no")) == ["fail handshake"])
        _ = bench.connect()
        #expect(bench.subscribed("out", OperationError(.notPermitted, "no")) == ["fail pairingRequired"])
        #expect(bench.connect(without: ["in"]) == ["fail notThisFamily"])
    }

    @Test("A value that cannot be subscribed to is read periodically if the file requires it")
    func polling() throws {
        let text = Sample.text(
            features: "value:\n  summary: A.\n  kind: state\n  from: out\n  packet: [ { a: u8 } ]"
        ).replacing("subscribe: out", with: "subscribe: out, else_read_s: 30")
        var bench = try MachineBench(text)
        _ = bench.connect()
        #expect(
            bench.subscribed("out", OperationError(.notSupported, "no")) == [
                "remark info", "ready", "read out",
            ])
        #expect(bench.read("out", "05") == ["publish value 5"])
        #expect(bench.timer("poll.0", after: .seconds(30)) == ["read out"])
        #expect(bench.timer("poll.0", after: .seconds(30)) == [])
    }

    @Test("Repeated actions run while the device is connected")
    func every() throws {
        let more = "every: [ { seconds: 60, read: out }, { seconds: 10, write: { to: in, hex: 0a } } ]"
        var bench = try MachineBench(Sample.text(features: Self.motor(), more: more))
        bench.showsTimers = true
        _ = bench.connect()
        #expect(
            bench.subscribed("out") == [
                "cancel setup", "ready", "timer every.0 60000", "timer every.1 10000",
            ])
        #expect(bench.timer("every.1", after: .seconds(10)) == ["timer every.1 10000", "write in 0a"])
        #expect(bench.timer("every.0", after: .seconds(50)) == ["timer every.0 60000", "read out"])
        #expect(bench.send(.disconnected) == ["cancel every.0", "cancel every.1"])
        #expect(bench.timer("every.0", after: .seconds(60)) == [])
    }

    @Test("Setup steps of absent optional characteristics are skipped")
    func optional() throws {
        let text = Sample.text(features: Self.motor()).replacing(
            "uuid: ff01", with: "uuid: ff01, optional: true")
        var bench = try MachineBench(text)
        #expect(bench.connect(without: ["out"]) == ["ready"])
    }

    // MARK: Stops

    @Test("A stop precedes all writes, and waiting commands and their writes are dropped")
    func stop() throws {
        var bench = try Self.bench("pace_ms: 100")
        #expect(bench.command("motor", "5") == ["write in 05"])
        #expect(bench.command("motor", "6") == [])
        #expect(bench.command("stop", "") == ["answer 1 stopped", "answer 2 stopped", "write in ff stop"])
        #expect(bench.written() == [])
        #expect(bench.written() == ["answer 3 ok"])
        #expect(bench.command("motor", "7") == [])
        #expect(bench.timer("lane.1", after: .milliseconds(100)) == ["write in 07"])
    }

    @Test("A stop whose write failed is written again")
    func stopAgain() throws {
        var bench = try Self.bench()
        _ = bench.command("stop", "")
        #expect(bench.written(OperationError(.failed, "no")) == ["remark warning", "answer 1 device_error"])
        #expect(bench.timer("stop", after: .milliseconds(100)) == ["write in ff stop"])
        #expect(bench.written() == [])
    }

    @Test(
        "Some causes stop every device, others only hazardous devices",
        arguments: [
            (StopCause.allStop, true), (.shutdown, true), (.suspend, true), (.brokerLost, false),
            (.late, false), (.reload, false), (.pathLost, false), (.pathGone, false),
        ])
    func causes(_ cause: StopCause, _ isStopped: Bool) throws {
        var bench = try Self.bench()
        #expect(bench.send(.stop(cause)) == (isStopped ? ["write in ff stop"] : []))
        var dangerous = try Self.bench("hazardous: true\nlease_ms: 500")
        #expect(dangerous.family.isHazardous && !bench.family.isHazardous)
        #expect(dangerous.send(.stop(cause)) == ["write in ff stop"])
    }

    @Test("The loss of the broker ends a lease")
    func brokerLost() throws {
        var bench = try Self.bench("lease_ms: 500")
        _ = bench.command("motor", "5")
        #expect(bench.send(.stop(.brokerLost)) == ["answer 1 stopped", "write in ff stop"])
    }

    @Test("The will exists during a connection, and for a hazardous command it has the lease's deadline")
    func will() throws {
        var bench = try Self.bench("hazardous: true\nlease_ms: 500")
        let stop = Write(bench.id("in"), [0xFE])
        #expect(bench.machine.will == Will(writes: [stop]))
        _ = bench.command("motor", "5")
        #expect(
            bench.machine.will
                == Will(
                    writes: [stop], deadline: .milliseconds(500),
                    deadlineWrites: [Write(bench.id("in"), [0xFF])]))
        _ = bench.timer("lease.0", after: .milliseconds(500))
        #expect(bench.machine.will.deadline == nil)
        _ = bench.send(.disconnected)
        #expect(bench.machine.will == .none)
    }

    @Test("A hazardous command is declared as such and requests motion for the duration of its lease")
    func hazard() throws {
        let family = try Self.bench("hazardous: true\nlease_ms: 500").family
        let command = try #require(family.features.first { $0.name == "motor" }?.command)
        #expect(command.traits == [.hazardous, .fleeting])
        #expect(command.fields.map(\.name) == ["level", "hold", "echo"])
        #expect(family.requirements.isSafetyCritical)
        #expect(
            family.motionLimits(["max_path_delay_ms": 400])
                == MotionGate.Limits(maxPathDelay: .milliseconds(400), longestLease: .milliseconds(500)))
        #expect(
            family.motionRequest("motor", ["level": 5, "hold": 3])
                == MotionRequest(.motion(lease: .milliseconds(500)), hold: 3))
        #expect(family.motionRequest("stop", [:]) == MotionRequest(.none))
        #expect(!family.takesFromGroup("motor", [:]))
        let harmless = try Self.bench().family
        #expect(harmless.motionLimits([:]) == nil)
        #expect(harmless.takesFromGroup("motor", [:]))
        #expect(harmless.features.first { $0.name == "stop" }?.command?.traits == .stop)
    }

    @Test("The goodbye writes precede the disconnect")
    func goodbye() throws {
        var bench = try Self.bench()
        _ = bench.command("motor", "5")
        #expect(bench.send(.close) == ["answer 1 device_offline", "write in fd"])
        _ = bench.written()
        #expect(bench.written() == ["disconnect"])
        var slow = try Self.bench()
        #expect(slow.send(.close) == ["write in fd"])
        #expect(slow.timer("close", after: .milliseconds(1300)) == ["disconnect"])
    }

    // MARK: Patterns

    private static let haptic = "haptic: { feature: motor, field: level, scale: [0, 200], shortest_ms: 20 }"

    @Test("A pattern is played by the command and ends with silence")
    func haptic() throws {
        var bench = try Self.bench(also: Self.haptic)
        #expect(
            bench.command(
                "haptic",
                #"{"events":[{"time":0,"kind":"continuous","duration":0.1,"intensity":0.5},{"time":0.1,"kind":"continuous","duration":0.1,"intensity":0.001}]}"#
            )
                == [#"publish haptic {"playing":"events"}"#, "write in 64"])
        #expect(bench.written() == [#"answer 1 ok {"degraded":["sharpness"]}"#])
        // Any strength above 0 is at least one step.
        #expect(bench.timer("haptic", after: .milliseconds(100)) == ["write in 01"])
        #expect(bench.written() == [])
        #expect(
            bench.timer("haptic", after: .milliseconds(100)) == [
                "write in 00", #"publish haptic {"playing":null}"#,
            ])
    }

    @Test("The word stop and a stop end a pattern, and a command replaces it")
    func endOfPattern() throws {
        for (end, effects) in [
            ("haptic", [#"publish haptic {"playing":null}"#, "write in 00", "answer 2 ok"]),
            ("stop", [#"publish haptic {"playing":null}"#, "write in ff stop"]),
            ("motor", [#"publish haptic {"playing":null}"#, "write in 07"]),
        ] {
            var bench = try Self.bench(also: Self.haptic)
            _ = bench.command("haptic", "gradual")
            _ = bench.written()
            _ = bench.timer("haptic", after: .milliseconds(100))
            _ = bench.written()
            #expect(
                bench.command(end, end == "haptic" ? "stop" : end == "stop" ? "" : "7") == effects, "\(end)")
        }
    }

    @Test("Silence can have a separate value below the weakest strength")
    func off() throws {
        let haptic = "haptic: { feature: motor, field: level, scale: [30, 255], off: 0, shortest_ms: 20 }"
        var bench = try Self.bench(also: haptic)
        let events = #"{"events":[{"time":0,"kind":"continuous","duration":0.1,"intensity":0.0001}]}"#
        #expect(bench.command("haptic", events).last == "write in 1e")
        _ = bench.written()
        #expect(bench.timer("haptic", after: .milliseconds(100)).first == "write in 00")
        #expect(try bench.family.preview(haptic: ["pattern": "heavy"])?.lines.first?.text == "level 255")
    }

    @Test("A preview contains strengths and writes")
    func preview() throws {
        let family = try Self.bench(also: Self.haptic).family
        let preview = try #require(try family.preview(haptic: ["pattern": "normal"]))
        #expect(preview.strokes == [.init(start: .zero, length: .milliseconds(100), intensity: 0.4)])
        #expect(preview.lines.map(\.text) == ["level 80", "level 0"])
    }

    @Test(
        "A match can contain name, service, manufacturer and address",
        arguments: [
            (#"name: "Probe*""#, true), (#"name: "Other*""#, false), ("service: ff00", true),
            ("service: ff09", false),
            ("manufacturer: 0x0059", true), (#"manufacturer: 89, data: "02..""#, true),
            (#"manufacturer: 89, data: "03""#, false),
            ("manufacturer: 90", false), ("address: AA:BB:CC:DD:EE:FF", true),
            (#"service: ff00, name: "Other*""#, false),
        ])
    func matching(_ match: String, _ fits: Bool) throws {
        let text = Sample.text(features: Self.motor()).replacing(#"name: "Probe*""#, with: match)
        let family = FileFamily(try DeviceFile.read(text, file: "probe.yaml").file)
        let advertisement = Advertisement(
            address: "AA:BB:CC:DD:EE:FF", name: "Probe 1", services: ["0000ff00-0000-1000-8000-00805f9b34fb"],
            manufacturerData: [0x59: [2, 3]])
        #expect(family.recognises(advertisement) == fits)
        #expect(family.file.joining == (match.contains("name") ? .plain : .named))
    }
}
