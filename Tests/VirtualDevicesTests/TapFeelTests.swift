import Testing
import VirtualDevices

@Suite("Vibrations that the wearer of a TAP feels")
struct TapFeelTests {
    /// A command, and the alternating start and end times of vibrations in milliseconds.
    static let table: [(name: String, command: String, times: [Int])] = [
        (
            "more than eighteen are not played", "0002" + String(repeating: "0A", count: 20),
            (0..<18).map { $0 * 100 }
        ),
        ("nothing", "0002", []),
        ("a pause of nothing joins", "0002320032", [0, 1000]),
        ("a pulse of nothing joins its pauses", "00020A05000A0A", [0, 100, 250, 350]),
        ("a last pause is not felt", "00020A0A", [0, 100]),
    ]

    @Test("A sequence is played with millisecond accuracy", arguments: table)
    func isFelt(name: String, command: String, times: [Int]) {
        var bench = TapBench()
        let start = bench.now
        var felt = bench.write(TapBench.haptics, command).filter { $0.hasPrefix("vibrate") }.map { _ in 0 }
        felt += bench.pass(.seconds(10)).filter { $0.what.hasPrefix("vibrate") }.map { happened in
            Int((happened.at - start) / .milliseconds(1))
        }
        #expect(felt == times, "\(name)")
    }

    @Test("A newer sequence replaces the current one, and an empty sequence ends it")
    func replaces() {
        var bench = TapBench()
        #expect(bench.write(TapBench.haptics, "0002FF") == ["written", "vibrate true"])
        _ = bench.pass(.seconds(1))
        #expect(bench.write(TapBench.haptics, "00020A") == ["written"])
        #expect(bench.pass(.seconds(5)).map { "\($0.at) \($0.what)" } == ["1.1 seconds vibrate false"])
        _ = bench.write(TapBench.haptics, "0002FF")
        #expect(bench.write(TapBench.haptics, "0002") == ["written", "vibrate false"])
    }

    @Test(
        "An invalid sequence is not played",
        arguments: ["", "00", "0102320A32", "00012C0132", "000005", "00002C0164"])
    func ignores(command: String) {
        var bench = TapBench()
        #expect(bench.write(TapBench.haptics, command) == ["written", "rejected"])
    }

    @Test("Older firmware plays a single pulse")
    func playsSinglePulse() {
        var bench = TapBench { $0.playsSinglePulse = true }
        #expect(bench.write(TapBench.haptics, "0000960064") == ["written", "vibrate true"])
        #expect(bench.pass(.seconds(1)).map(\.at) == [.milliseconds(150)])
        #expect(bench.write(TapBench.haptics, "00002D0164") == ["written", "rejected"])
    }
}
