import Bluetooth
import DeviceKit
import JSON
import Testing

@testable import DeviceCatalog

@Suite("Patterns on the belt")
struct BeltHapticTests: BeltPatternPlaying {
    private static let silence = "FE03 00 00 00 00 00 00 01 00 00 00 00 01 01 00 00 00 00 00"

    @Test("heavy is five timed writes on channel 0, and the state shows the pattern")
    func heavy() {
        var bench = BeltBench.online()
        bench.command("haptic", "heavy")
        #expect(bench.take() == [#"haptic = {"playing":"heavy"}"#, "> " + all(0, 100, 300)])
        bench.acknowledge()
        #expect(bench.take() == [#"#1 ok {"degraded":["sharpness"]}"#])
        for intensity: UInt8 in [80, 60, 40] {
            bench.advance(by: .milliseconds(199))
            #expect(bench.take() == [])
            bench.advance(by: .milliseconds(1))
            #expect(bench.take() == ["> " + all(0, intensity, 300)])
        }
        bench.advance(by: .milliseconds(200))
        #expect(bench.take() == ["> " + all(0, 20, 200)], "the last one ends by itself")
        bench.advance(by: .milliseconds(200))
        #expect(bench.take() == [#"haptic = {"playing":null}"#])
        bench.advance(by: .seconds(10))
        #expect(bench.take() == [])
    }

    @Test("A tap is a pulse, or a short or long pattern if the firmware does not support pulses")
    func taps() {
        var bench = BeltBench.online()
        bench.command("haptic", #"{"pattern":"normal","motor":4}"#)
        #expect(bench.takeWrites() == ["FE03 40 00 01 04 00 28 64 00 01 01 64 00 64 00 00 00 00"])
        var old = BeltBench.online(firmware: 41)
        old.command("haptic", #"{"pattern":"normal","motor":4}"#)
        #expect(old.takeWrites() == ["FE03 00 03 28 00 00 00 01 04 00 00 00 01 64 00 00 00 00 00"])
        old.command("haptic", #"{"events":[{"kind":"transient","sharpness":1}],"direction":90}"#)
        #expect(old.takeWrites() == ["FE03 00 02 64 00 00 00 02 5A 00 00 00 01 32 00 00 00 00 00"])
        old.acknowledge()
        #expect(old.answers == [1: [.ok], 2: [.ok]], "of taps nothing is lost")
    }

    @Test("In app mode, a pattern uses a channel without an endless vibration")
    func channels() {
        var bench = BeltBench.online(mode: .app)
        bench.command("mode", "app")
        bench.command("vibrate", #"{"channel":3,"motor":1}"#)
        bench.acknowledge()
        _ = bench.take()
        bench.command("haptic", "heavy")
        #expect(bench.takeWrites() == [all(4, 100, 300)])
        bench.command("haptic", "stop")
        #expect(bench.takeWrites() == ["FE03 30 04"])
    }

    @Test("A new pattern replaces the old one, and stop ends it immediately")
    func replacement() {
        var bench = BeltBench.online()
        bench.command("haptic", "heavy")
        bench.command("haptic", #"{"pattern":"gradual","scale":0.5}"#)
        #expect(
            bench.take() == [
                #"haptic = {"playing":"heavy"}"#, "> " + all(0, 100, 300), "> " + Self.silence,
                #"haptic = {"playing":"gradual"}"#,
            ], "gradual begins with nothing")
        bench.advance(by: .milliseconds(100))
        #expect(bench.takeWrites() == [all(0, 6, 200)])
        bench.command("haptic", "stop")
        #expect(bench.take() == ["> " + Self.silence, #"haptic = {"playing":null}"#])
        bench.acknowledge()
        #expect(bench.take().last == "#3 ok")
        bench.advance(by: .seconds(3))
        #expect(bench.take() == [])
    }

    @Test("Repetitions follow without a gap, and the last one ends on time")
    func repeats() {
        var bench = BeltBench.online()
        bench.command("haptic", #"{"events":[{"kind":"continuous","duration":0.1}],"repeat":3}"#)
        bench.advance(by: .milliseconds(299))
        #expect(bench.takeWrites() == [all(0, 100, 200), all(0, 100, 200), all(0, 100, 100)])
        bench.advance(by: .milliseconds(1))
        #expect(bench.take() == [#"haptic = {"playing":null}"#])
    }

    @Test("A pattern with a delay starts on time")
    func delay() {
        var bench = BeltBench.online()
        bench.feed(
            .command(CommandID(9), feature: "haptic", ["pattern": "heavy", "delay_ms": 40]))
        bench.advance(by: .milliseconds(39))
        #expect(bench.take() == [])
        bench.advance(by: .milliseconds(1))
        #expect(bench.take() == [#"haptic = {"playing":"heavy"}"#, "> " + all(0, 100, 300)])
    }

    @Test("A notification on the channel of a pattern ends it; in app mode both are felt")
    func notices() {
        var bench = BeltBench.online()
        bench.command("haptic", "gradual")
        bench.advance(by: .milliseconds(300))
        bench.command("notify", "critical_warning")
        _ = bench.take()
        bench.advance(by: .seconds(3))
        #expect(bench.take() == [])
        var app = navigating()
        app.command("haptic", "gradual")
        app.advance(by: .milliseconds(300))
        app.command("notify", "critical_warning")
        _ = app.take()
        app.advance(by: .milliseconds(100))
        #expect(app.takeWrites().count == 1)
    }

    @Test(
        "Every cause that stops vibrations ends a pattern",
        arguments: [StopCause.allStop, .brokerLost, .shutdown, .suspend])
    func stops(cause: StopCause) {
        var bench = BeltBench.online()
        bench.command("haptic", #"{"pattern":"gradual","repeat":100}"#)
        bench.acknowledge()
        bench.advance(by: .milliseconds(500))
        _ = bench.take()
        bench.feed(.stop(cause))
        #expect(bench.takeWrites().first?.hasPrefix(Self.silence) == true)
        bench.advance(by: .seconds(5))
        #expect(!bench.take().contains { $0.hasPrefix("> FE03 00 01") })
    }

    @Test("A stalled or reloading bridge does not end a pattern", arguments: [StopCause.late, .reload])
    func noStops(cause: StopCause) {
        var bench = BeltBench.online()
        bench.command("haptic", "gradual")
        bench.advance(by: .milliseconds(100))
        _ = bench.take()
        bench.feed(.stop(cause))
        bench.advance(by: .milliseconds(100))
        #expect(bench.takeWrites() == [all(0, 22, 200)])
    }

    @Test("A pattern ends with the link, and its command is answered")
    func lostLink() {
        var bench = BeltBench.online()
        bench.command("haptic", "heavy")
        _ = bench.take()
        bench.feed(.disconnected)
        #expect(
            Set(bench.take()) == [
                "#1 device_offline", #"haptic = {"playing":null}"#, #"mode = "unknown""#,
            ])
        bench.connect()
        #expect(!bench.take().contains { $0.hasPrefix("> FE03") })
    }

    @Test("If the belt refuses the first write, the command fails, and the pattern ends")
    func refused() {
        var bench = BeltBench.online()
        bench.command("haptic", "heavy")
        bench.complete(OperationError(.failed, "for the test"))
        #expect(bench.take().contains("#1 device_error"))
        bench.advance(by: .seconds(2))
        #expect(!bench.takeWrites().contains(all(0, 80, 300)))
    }

    @Test("Steps that are too fast for the link are merged, and the answer reports it")
    func coarse() {
        var bench = BeltBench.online()
        let events = (0..<10).map { index in
            #"{"kind":"continuous","time":\#(Double(index) / 50),"duration":0.02,"intensity":\#(index % 2)}"#
        }
        bench.command("haptic", #"{"events":[\#(events.joined(separator: ","))]}"#)
        bench.advance(by: .milliseconds(200))
        bench.acknowledge()
        #expect(bench.takeWrites().count <= 5)
        #expect(bench.answers[1] == [.ok(["degraded": ["timing", "sharpness"]])])
    }

    @Test("If the bridge crashes, the belt is silenced in every mode")
    func will() {
        var bench = BeltBench.online()
        #expect(bench.machine.will.writes.map(\.value) == [])
        bench.command("haptic", "heavy")
        #expect(bench.machine.will.writes.map(\.value.count) == [18])
        #expect(bench.machine.will.writes.last?.value.prefix(2) == [0, 0])
        var compass = BeltBench.online(mode: .compass)
        compass.command("haptic", "heavy")
        #expect(
            compass.machine.will.writes.map(\.value).suffix(2) == [bytes("30 FF"), bytes("01 81 02 00")],
            "app mode is on its way; the compass is the wearer's")
    }

    @Test("An unknown pattern name is refused")
    func unknown() {
        var bench = BeltBench.online()
        bench.command("haptic", "doorbell")
        #expect(bench.take() == ["#1 invalid_value"])
    }
}
