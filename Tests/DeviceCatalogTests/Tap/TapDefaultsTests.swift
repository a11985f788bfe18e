import DeviceKit
import JSON
import Testing

@testable import DeviceCatalog

@Suite("Changed defaults of a connected TAP")
struct TapDefaultsTests {
    private static let wanted: Arguments = ["default_input_mode": "text", "default_xr_state": "tapping"]
    private static let mode: Set = ["default_input_mode"]
    private static let both: Set = ["default_input_mode", "default_xr_state"]

    /// Returns a TapXR in its default state, whose earlier lines are already taken.
    private func online(_ settings: Arguments = [:]) -> TapBench {
        var bench = TapBench.connected(.xr, settings: settings)
        #expect(bench.takeCommands() == ["03 0C 00 01", "03 0D 00 03"])
        _ = bench.take()
        return bench
    }

    @Test("A changed default applies to the next link")
    func next() {
        var bench = online()
        bench.feed(.settings(Self.wanted, atOnce: []))
        bench.advance(by: .seconds(1))
        #expect(bench.takeCommands() == [])
        bench.feed(.disconnected)
        bench.connect(.xr)
        #expect(bench.takeCommands() == ["03 0C 00 00", "03 0D 00 02"])
    }

    @Test("A changed default does not replace the state that a command set")
    func commanded() {
        var bench = online()
        bench.command("input_mode", "raw")
        bench.acknowledge()
        bench.command("xr_state", "air_mouse")
        bench.advance(by: .seconds(1))
        bench.acknowledge()
        bench.feed(.settings(Self.wanted, atOnce: []))
        bench.feed(.disconnected)
        _ = bench.takeCommands()
        bench.connect(.xr)
        #expect(bench.takeCommands() == ["03 0C 00 0A 00 00 00", "03 0D 00 01"])
    }

    @Test("Applied at once, a default replaces the state that a command set, and queued writes for it")
    func atOnce() {
        var bench = online()
        bench.command("xr_state", "air_mouse")
        bench.command("input_mode", "raw")
        bench.feed(.settings(Self.wanted, atOnce: Self.both))
        bench.acknowledge()
        bench.advance(by: .seconds(2))
        let commands = bench.takeCommands()
        #expect(
            commands == ["03 0D 00 01", "03 0C 00 0A 00 00 00", "03 0C 00 00", "03 0D 00 02"])
        let lines = bench.take()
        #expect(lines.last { $0.hasPrefix("input_mode") } == "input_mode = \"text\"")
        #expect(lines.last { $0.hasPrefix("xr_state") } == "xr_state = \"tapping\"")
        bench.feed(.settings(["default_input_mode": "controller"], atOnce: []))
        bench.feed(.disconnected)
        bench.connect(.xr)
        #expect(bench.takeCommands() == ["03 0C 00 01", "03 0D 00 03"], "no command holds any longer")
    }

    @Test("Applied at once, only the named settings change, and other commanded states stay")
    func named() {
        var bench = online()
        bench.command("input_mode", "text")
        bench.acknowledge()
        bench.command("xr_state", "air_mouse")
        bench.advance(by: .seconds(1))
        bench.acknowledge()
        _ = bench.takeCommands()
        bench.feed(
            .settings(
                ["default_input_mode": "controller", "default_xr_state": "tapping"],
                atOnce: ["default_xr_state"]))
        bench.acknowledge()
        bench.advance(by: .seconds(2))
        #expect(bench.takeCommands() == ["03 0D 00 02"])
        bench.feed(.disconnected)
        bench.connect(.xr)
        #expect(bench.takeCommands() == ["03 0C 00 00", "03 0D 00 02"], "the input mode of the command")
    }

    @Test("Changed ranges of raw mode leave raw mode first")
    func ranges() {
        var bench = online()
        bench.command("input_mode", #"{"mode":"raw","sensitivity":{"gyro":5}}"#)
        bench.acknowledge()
        bench.advance(by: .seconds(1))
        _ = bench.takeCommands()
        bench.feed(.settings(["default_input_mode": "raw"], atOnce: Self.mode))
        bench.acknowledge()
        bench.advance(by: .seconds(1))
        #expect(bench.takeCommands() == ["03 0C 00 01", "03 0C 00 0A 00 00 00"])
    }

    @Test("A default that this TAP does not support becomes controller, with a warning")
    func unsupported() {
        var bench = online()
        bench.feed(.settings(["default_input_mode": "controller_mouse_hid"], atOnce: Self.mode))
        bench.acknowledge()
        bench.advance(by: .seconds(1))
        #expect(bench.takeCommands() == ["03 0C 00 01"])
        #expect(bench.remarks.count == 1)
    }

    @Test("A TAP with the framed protocol switches on the functions of the mode")
    func framed() {
        var bench = TapBench()
        bench.connectFramed()
        _ = bench.take()
        bench.feed(.settings(["default_input_mode": "raw"], atOnce: Self.mode))
        bench.answerFrames()
        let lines = bench.take()
        #expect(lines.contains("> c3ff000f 00 00 00 00 00 01"))
        #expect(lines.last { $0.hasPrefix("sensing") }?.contains(#""raw":true"#) == true)
        bench.feed(.settings(["default_input_mode": "text"], atOnce: []))
        bench.feed(.disconnected)
        bench.connectFramed()
        #expect(bench.take().last { $0.hasPrefix("sensing") }?.contains(#""raw":false"#) == true)
    }
}
