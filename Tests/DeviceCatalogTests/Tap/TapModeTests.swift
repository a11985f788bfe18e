import DeviceKit
import JSON
import Testing

@testable import DeviceCatalog

@Suite("Setting, repeating and returning the input mode")
struct TapModeTests {
    @Test(
        "A newly connected TAP gets the configured mode",
        arguments: [
            ("controller", "03 0C 00 01"), ("text", "03 0C 00 00"), ("controller_mouse_hid", "03 0C 00 03"),
            ("controller_full_hid", "03 0C 00 05"), ("raw", "03 0C 00 0A 00 00 00"),
        ])
    func defaultMode(_ mode: String, _ hex: String) {
        var bench = TapBench.connected(settings: ["default_input_mode": .string(mode)])
        #expect(bench.takeCommands() == [hex])
        #expect(bench.take().last == "input_mode = \"\(mode)\"")
    }

    @Test("A default that this TAP does not support becomes controller, with a warning")
    func unsupportedDefault() {
        var bench = TapBench.connected(.xr, settings: ["default_input_mode": "controller_mouse_hid"])
        #expect(bench.takeCommands() == ["03 0C 00 01", "03 0D 00 03"])
        #expect(bench.remarks.count == 1)
    }

    @Test("The mode is repeated every ten seconds, with its sensitivities")
    func refresh() {
        var bench = TapBench.connected()
        bench.command("input_mode", #"{"mode":"raw","sensitivity":{"fingers":1,"gyro":2,"accelerometer":3}}"#)
        bench.acknowledge()
        _ = bench.takeCommands()
        bench.advance(by: .seconds(60))
        #expect(bench.commands.map(\.hex) == [String](repeating: "03 0C 00 0A 01 02 03", count: 6))
        let times = bench.commands.map(\.time)
        #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 == .seconds(10) })
    }

    @Test(
        "Each mode is written with its code",
        arguments: [
            ("controller", "03 0C 00 01"), ("text", "03 0C 00 00"), ("controller_mouse_hid", "03 0C 00 03"),
            ("controller_full_hid", "03 0C 00 05"), ("raw", "03 0C 00 0A 00 00 00"),
            (#"{"mode":"raw","sensitivity":{"gyro":5}}"#, "03 0C 00 0A 00 05 00"),
        ])
    func commands(_ payload: String, _ hex: String) {
        var bench = TapBench.online()
        bench.command("input_mode", payload)
        #expect(bench.answers.isEmpty)
        bench.acknowledge()
        #expect(bench.takeCommands() == [hex])
        let mode = payload.contains("raw") ? "raw" : payload
        #expect(bench.take().suffix(2) == ["input_mode = \"\(mode)\"", "#1 ok"])
    }

    @Test(
        "Invalid arguments are refused",
        arguments: [
            ("keyboard", CommandError.Code.invalidValue),
            (#"{"mode":"raw","sensitivity":{"fingers":5}}"#, .outOfRange),
            (#"{"mode":"raw","sensitivity":{"gyro":6}}"#, .outOfRange),
            (#"{"mode":"raw","sensitivity":{"accelerometer":5}}"#, .outOfRange),
            (#"{"mode":"raw","sensitivity":{"thumb":1}}"#, .unknownField),
            (#"{"mode":"controller","sensitivity":{"gyro":1}}"#, .invalidValue), ("{}", .missingField),
            ("", .invalidPayload),
        ])
    func refusals(_ payload: String, _ code: CommandError.Code) {
        var bench = TapBench.connected()
        bench.command("input_mode", payload)
        #expect(bench.refusal?.code == code)
        #expect(bench.operations.isEmpty)
    }

    @Test("Commands to the UART service are at least 200 ms apart, from the end of one to the next")
    func spacing() {
        var bench = TapBench.online(.xr)
        bench.command("input_mode", "text")
        bench.command("xr_state", "air_mouse")
        bench.command("input_mode", "controller")
        #expect(bench.commands.count == 1)
        bench.advance(by: .milliseconds(300), isDeaf: true)
        #expect(bench.commands.count == 1)
        bench.acknowledge()
        let end = bench.now
        bench.advance(by: .seconds(1))
        #expect(bench.commands.map(\.hex) == ["03 0C 00 00", "03 0D 00 01", "03 0C 00 01"])
        #expect(
            bench.commands.map(\.time).dropFirst() == [
                end + .milliseconds(200), end + .milliseconds(400),
            ])
        #expect((1...3).allSatisfy { bench.answers[$0] == [.ok] })
    }

    @Test("A refresh during a change of mode does not restore the old mode")
    func race() {
        var bench = TapBench.connected()
        bench.advance(by: .milliseconds(8900))
        _ = bench.takeCommands()
        bench.command("input_mode", "text")
        bench.advance(by: .seconds(1), isDeaf: true)
        bench.acknowledge()
        bench.advance(by: .seconds(1))
        #expect(bench.commands.map(\.hex) == ["03 0C 00 00", "03 0C 00 00"])
    }

    @Test("Other sensitivities in raw mode are set after a change to controller mode")
    func sensitivities() {
        var bench = TapBench.connected()
        bench.command("input_mode", "raw")
        bench.acknowledge()
        bench.advance(by: .seconds(1))
        _ = (bench.take(), bench.takeCommands())
        bench.command("input_mode", #"{"mode":"raw","sensitivity":{"fingers":1}}"#)
        bench.acknowledge()
        bench.advance(by: .seconds(1))
        #expect(bench.takeCommands() == ["03 0C 00 01", "03 0C 00 0A 01 00 00"])
        #expect(
            bench.take().filter { $0.hasPrefix("input_mode") || $0.hasPrefix("#") } == [
                "input_mode = \"raw\"", "#2 ok",
            ])
        bench.command("input_mode", #"{"mode":"raw","sensitivity":{"fingers":1}}"#)
        bench.acknowledge()
        #expect(bench.takeCommands() == ["03 0C 00 0A 01 00 00"])
    }

    @Test("Raw frames are published only in raw mode, with the scale of the last written command")
    func frames() {
        var bench = TapBench.online()
        let frame = "7B 00 00 00 01 00 00 00 00 00 01 00 00 00 00 00"
        bench.notify(TapGATT.raw, frame)
        #expect(bench.take() == [])
        bench.command("input_mode", #"{"mode":"raw","sensitivity":{"gyro":4}}"#)
        _ = bench.take()
        bench.notify(TapGATT.raw, frame)
        #expect(bench.take().first?.contains(#""gyro":{"x":35,"#) == true)
        bench.acknowledge()
        bench.advance(by: .seconds(1))
        bench.command("input_mode", "controller")
        _ = bench.take()
        bench.notify(TapGATT.raw, frame)
        #expect(bench.take() == [])
    }

    @Test("A failed command does not change the repeated mode")
    func failure() {
        var bench = TapBench.connected()
        bench.command("input_mode", "text")
        bench.complete(OperationError(.timeout, "for the test"))
        #expect(bench.refusal?.code == .timeout)
        _ = (bench.take(), bench.takeCommands())
        bench.advance(by: .seconds(10))
        #expect(bench.takeCommands() == ["03 0C 00 01"])
    }

    @Test("A commanded mode with its sensitivities is kept over a lost link")
    func reconnect() {
        var bench = TapBench.connected()
        bench.command("input_mode", #"{"mode":"raw","sensitivity":{"fingers":2}}"#)
        bench.acknowledge()
        bench.feed(.disconnected)
        bench.advance(by: .seconds(60))
        _ = bench.takeCommands()
        bench.connect()
        #expect(bench.takeCommands() == ["03 0C 00 0A 02 00 00"])
    }

    @Test("Too many queued commands are refused")
    func busy() {
        var bench = TapBench.connected()
        for _ in 0..<65 { bench.command("input_mode", "controller") }
        #expect(bench.refusal == nil)
        bench.command("input_mode", "controller")
        #expect(bench.refusal?.code == .busy)
    }

    @Test("The current ranges are published in raw mode only")
    func ranges() {
        var bench = TapBench.connected()
        bench.command("sensitivity", #"{"gyro":5}"#)
        #expect(bench.refusal?.code == .wrongMode)
        bench.command("input_mode", #"{"mode":"raw","sensitivity":{"fingers":1,"gyro":2,"accelerometer":3}}"#)
        bench.acknowledge()
        #expect(bench.take().contains(#"sensitivity = {"fingers":1,"gyro":2,"accelerometer":3}"#))
        bench.advance(by: .seconds(1))
        _ = bench.takeCommands()
        bench.command("sensitivity", #"{"gyro":5}"#)
        bench.acknowledge()
        bench.advance(by: .seconds(1))
        #expect(bench.takeCommands() == ["03 0C 00 01", "03 0C 00 0A 01 05 03"])
        #expect(bench.answers[3] == [.ok])
        #expect(bench.take().contains(#"sensitivity = {"fingers":1,"gyro":5,"accelerometer":3}"#))
        bench.command("input_mode", "controller")
        bench.acknowledge()
        #expect(bench.take().contains("sensitivity withdrawn"))
    }

    // MARK: TapXR

    @Test("A newly connected TapXR gets the configured state, and a command sets another")
    func defaultXRState() {
        var bench = TapBench.connected(.xr, settings: ["default_xr_state": "tapping"])
        #expect(bench.takeCommands() == ["03 0C 00 01", "03 0D 00 02"])
        #expect(bench.take().last == "xr_state = \"tapping\"")
        bench.command("xr_state", "air_mouse")
        bench.acknowledge()
        bench.feed(.disconnected)
        _ = bench.takeCommands()
        bench.connect(.xr)
        #expect(bench.takeCommands() == ["03 0C 00 01", "03 0D 00 01"])
        bench = TapBench(["default_xr_state": "tapping"])
        bench.connect(.strap2)
        #expect(bench.takeCommands() == ["03 0C 00 01"], "a strap is not told")
    }

    @Test("The state user_control is written once; other states are repeated")
    func xrRefresh() {
        var bench = TapBench.connected(.xr)
        #expect(bench.takeCommands() == ["03 0C 00 01", "03 0D 00 03"])
        #expect(bench.take().last == "xr_state = \"user_control\"")
        bench.advance(by: .seconds(20))
        #expect(bench.takeCommands() == ["03 0C 00 01", "03 0C 00 01"])
        bench.command("xr_state", "air_mouse")
        bench.acknowledge()
        bench.advance(by: .seconds(20))
        #expect(
            bench.takeCommands() == [
                "03 0D 00 01", "03 0C 00 01", "03 0D 00 01", "03 0C 00 01", "03 0D 00 01",
            ])
        bench.command("xr_state", "user_control")
        bench.acknowledge()
        bench.advance(by: .seconds(20))
        #expect(bench.takeCommands() == ["03 0D 00 03", "03 0C 00 01", "03 0C 00 01"])
    }

    @Test("The state user_control is written again until the TapXR has acknowledged it")
    func xrRetry() {
        var bench = TapBench()
        bench.begin(.xr)
        while !bench.operations.isEmpty { bench.complete(OperationError(.failed, "for the test")) }
        bench.advance(by: .seconds(1), isDeaf: true)
        while !bench.operations.isEmpty { bench.complete(OperationError(.failed, "for the test")) }
        _ = bench.takeCommands()
        bench.advance(by: .seconds(20))
        #expect(bench.takeCommands() == ["03 0C 00 01", "03 0D 00 03", "03 0C 00 01"])
    }
}
