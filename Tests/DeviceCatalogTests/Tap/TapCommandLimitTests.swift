import DeviceKit
import Testing

@testable import DeviceCatalog

@Suite("Commands at their limits")
struct TapCommandLimitTests {
    @Test(
        "Undocumented packets are not decoded",
        arguments: [
            "", "03", "03 0C 00 02", "03 0C 00 06", "03 0D 00 00", "03 0D 00 04", "03 0E 00 01",
            "00 0C 00 01", "03 0C 01 01", "03 0C 00 0A 01 02",
        ])
    func unknown(_ hex: String) {
        #expect(TapInputCommand(bytes(hex)) == nil)
    }

    @Test("Sensitivities out of range become the default code")
    func outOfRange() {
        #expect(TapInputCommand(bytes("03 0C 00 0A 05 06 05")) == .raw(TapSensitivity()))
        #expect(TapSensitivity(codes: 4, 5, 4).bytes == [4, 5, 4])
    }

    @Test(
        "Vibrations are decoded with and without padding to 20 bytes",
        arguments: [
            TapVector("the limits", "00 02 01 FF", [10, 2550]),
            TapVector("rounded down", "00 02 01 32", [19, 509]),
        ])
    func vibration(_ vector: TapVector<[Int]>) throws {
        let unpadded = bytes(vector.hex)
        let padded = unpadded + [UInt8](repeating: 0, count: 20 - unpadded.count)
        let sequence = try #require(TapHapticSequence(milliseconds: vector.meaning))
        #expect(sequence.bytes == padded)
        #expect(TapHapticSequence(padded) == sequence)
        #expect(TapHapticSequence(unpadded) == sequence)
        #expect(sequence.milliseconds == vector.meaning.map { $0 / 10 * 10 })
    }

    private static let twenty = "[" + [String](repeating: "100", count: 20).joined(separator: ",") + "]"

    @Test(
        "Invalid durations are refused, not clamped or truncated",
        arguments: [
            ("[5,3000]", "durations_ms[0]: a whole number 10...2550, got 5"),
            ("[10,3000]", "durations_ms[1]: a whole number 10...2550, got 3000"),
            ("[9]", "durations_ms[0]: a whole number 10...2550, got 9"),
            ("[2551]", "durations_ms[0]: a whole number 10...2550, got 2551"),
            ("[-10]", "durations_ms[0]: a whole number 10...2550, got -10"),
            ("[]", "durations_ms: 1...18 values, got 0"), (twenty, "durations_ms: 1...18 values, got 20"),
        ])
    func refused(_ payload: String, _ message: String) {
        var bench = TapBench.online()
        bench.command("vibrate", payload)
        #expect(bench.refusal == CommandError(.outOfRange, message))
        #expect(bench.operations.isEmpty)
    }

    @Test("The air-mouse state is requested without response")
    func airState() {
        var bench = TapBench()
        bench.begin()
        #expect(bench.take().contains("~> c3ff000a 0D"))
        bench.notify(TapGATT.air, "14 01")
        #expect(bench.take() == ["air_mouse = true"])
    }

    @Test("No data requests are written; the answer to another program's request is not a tap")
    func dataRequest() {
        var bench = TapBench.connected()
        #expect(!bench.take().contains { $0.contains("c3ff000b") })
        bench.notify(TapGATT.taps, "00 00 00 02")
        #expect(bench.take() == [#"keyboard = {"shift":"locked","switch":false}"#])
        bench.notify(TapGATT.taps, "05 00 00 00")
        #expect(bench.take().count == 1)
    }
}
