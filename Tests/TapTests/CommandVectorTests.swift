import DeviceKit
import Testing

@testable import Tap

@Suite("Commands are written as the worked examples of the protocol have them")
struct CommandVectorTests {
    @Test("Enabling notifications on tap data: the link writes the descriptor (1)")
    func notifications() {
        var bench = Bench()
        bench.begin()
        #expect(bench.take().contains("subscribe c3ff0005"))
    }

    @Test(
        "Modes",
        arguments: [
            Vector("2 text", "03 0C 00 00", InputCommand.mode(.text)),
            Vector("3 controller", "03 0C 00 01", .mode(.controller)),
            Vector("4 controller with mouse HID", "03 0C 00 03", .mode(.controllerMouseHID)),
            Vector("5 controller with full HID", "03 0C 00 05", .mode(.controllerFullHID)),
            Vector("6 raw, default sensitivities", "03 0C 00 0A 00 00 00", .raw(Sensitivity())),
            Vector(
                "7 raw, 2 g, 250 dps, 8 g", "03 0C 00 0A 01 02 03", .raw(Sensitivity(codes: 1, 2, 3))),
            Vector(
                "8 raw, 16 g, 125 dps, 2 g", "03 0C 00 0A 04 01 01", .raw(Sensitivity(codes: 4, 1, 1))),
            Vector("9 air mouse", "03 0D 00 01", .xr(.airMouse)),
            Vector("9 tapping", "03 0D 00 02", .xr(.tapping)),
            Vector("9 user control", "03 0D 00 03", .xr(.userControl)),
        ])
    func mode(_ vector: Vector<InputCommand>) {
        #expect(vector.meaning.bytes == bytes(vector.hex))
        #expect(InputCommand(bytes(vector.hex)) == vector.meaning)
        #expect(InputCommand(bytes(vector.hex).dropLast()) == nil)
    }

    @Test("Android's code for mouse HID is the same mode (4)")
    func androidsMouseHID() {
        #expect(InputCommand(bytes("03 0C 00 04")) == .mode(.controllerMouseHID))
    }

    @Test(
        "What no source knows is no command",
        arguments: [
            "", "03", "03 0C 00 02", "03 0C 00 06", "03 0D 00 00", "03 0D 00 04", "03 0E 00 01",
            "00 0C 00 01", "03 0C 01 01", "03 0C 00 0A 01 02",
        ])
    func unknown(_ hex: String) {
        #expect(InputCommand(bytes(hex)) == nil)
    }

    @Test("Sensitivities out of range become the default's code")
    func outOfRange() {
        #expect(InputCommand(bytes("03 0C 00 0A 05 06 05")) == .raw(Sensitivity()))
        #expect(Sensitivity(codes: 4, 5, 4).bytes == [4, 5, 4])
    }

    @Test("A refresh with forced tapping is two writes at least 200 ms apart (10)")
    func refresh() throws {
        var bench = Bench()
        bench.connect(.xr)
        bench.command("xr_state", "tapping")
        bench.acknowledge()
        bench.advance(by: .seconds(1))
        _ = bench.takeCommands()
        bench.advance(by: .seconds(10))
        let refresh = bench.commands
        #expect(refresh.map(\.hex) == ["03 0C 00 01", "03 0D 00 02"])
        try #require(refresh.count == 2)
        #expect(refresh[1].time - refresh[0].time >= .milliseconds(200))
    }

    @Test(
        "Vibration, padded to 20 bytes",
        arguments: [
            Vector("11 500, 100, 500 ms", "00 02 32 0A 32", [500, 100, 500]),
            Vector("12 1000, 300, 200 ms", "00 02 64 1E 14", [1000, 300, 200]),
            Vector(
                "14 eighteen times 100 ms", "00 02 0A 0A 0A 0A 0A 0A 0A 0A 0A 0A 0A 0A 0A 0A 0A 0A 0A 0A",
                [Int](repeating: 100, count: 18)),
            Vector("the limits", "00 02 01 FF", [10, 2550]),
            Vector("rounded down", "00 02 01 32", [19, 509]),
        ])
    func vibration(_ vector: Vector<[Int]>) throws {
        let unpadded = bytes(vector.hex)
        let padded = unpadded + [UInt8](repeating: 0, count: 20 - unpadded.count)
        let sequence = try #require(HapticSequence(milliseconds: vector.meaning))
        #expect(sequence.bytes == padded)
        #expect(HapticSequence(padded) == sequence)
        #expect(HapticSequence(unpadded) == sequence)
        #expect(sequence.milliseconds == vector.meaning.map { $0 / 10 * 10 })
    }

    private static let twenty = "[" + [String](repeating: "100", count: 20).joined(separator: ",") + "]"

    @Test(
        "What does not fit is refused, not clamped (13) and not cut (14)",
        arguments: [
            ("[5,3000]", "durations_ms[0]: a whole number 10...2550, got 5"),
            ("[10,3000]", "durations_ms[1]: a whole number 10...2550, got 3000"),
            ("[9]", "durations_ms[0]: a whole number 10...2550, got 9"),
            ("[2551]", "durations_ms[0]: a whole number 10...2550, got 2551"),
            ("[-10]", "durations_ms[0]: a whole number 10...2550, got -10"),
            ("[]", "durations_ms: 1...18 values, got 0"), (twenty, "durations_ms: 1...18 values, got 20"),
        ])
    func refused(_ payload: String, _ message: String) {
        var bench = Bench()
        bench.connect()
        _ = bench.take()
        bench.command("vibrate", payload)
        #expect(bench.refusal == CommandError(.outOfRange, message))
        #expect(bench.operations.isEmpty)
    }

    @Test("Asking for the air-mouse state (15), without response")
    func airState() {
        var bench = Bench()
        bench.begin()
        #expect(bench.take().contains("~> c3ff000a 0D"))
        bench.notify(GATT.air, "14 01")
        #expect(bench.take() == ["air_mouse = true"])
    }

    @Test("Data requests are not made (16); the answer to one that somebody else made is no tap")
    func dataRequest() {
        var bench = Bench()
        bench.connect()
        #expect(!bench.take().contains { $0.contains("c3ff000b") })
        bench.notify(GATT.taps, "00 00 00 02")
        #expect(bench.take() == [])
        bench.notify(GATT.taps, "05 00 00 00")
        #expect(bench.take().count == 1)
    }
}
