import Testing
import VirtualDevices

@Suite("Ends of vibrations by mode")
struct SilenceTests {
    /// The empty pattern on channel 0, once.
    private static let silence = "000000000000010000000001010000000000"
    private static let modes = ["01", "02", "04", "05", "06"]
    /// Vibrations that are accepted outside app mode: C14, C21 and C24 of the test vectors.
    private static let accepted = [
        "0001AAAA0000035A00000001E80300000000", "0003AAAA00000011110000" + "03BC0200000100",
        "000619000000010000000002F40100000100", "4000025A00AA96000301F401DC05000000",
    ]

    private func bench(_ mode: String, _ choices: VirtualBelt.Choices = .init()) -> BeltBench {
        var choices = choices
        choices.waitSignalPeriod = nil
        var bench = BeltBench(choices)
        _ = bench.write("FE05", "0181\(mode)00")
        return bench
    }

    @Test(
        "Outside app mode, a stop (C23) is ignored, and the empty pattern ends the vibration on channel 0",
        arguments: modes, accepted)
    func outsideAppMode(mode: String, vibration: String) {
        var bench = bench(mode)
        let own = mode == "02" || mode == "06" ? "feel 0:50" : "feel nothing"
        let felt = bench.write("FE03", vibration).last
        #expect(felt?.hasPrefix("feel") == true && felt != own)
        #expect(bench.write("FE03", "30FF") == ["written", "rejected"])
        #expect(bench.write("FE03", "3000") == ["written", "rejected"])
        #expect(bench.write("FE03", Self.silence) == ["written", own])
        #expect(bench.feelings(.seconds(60)) == [])
    }

    @Test("In app mode, both end the vibration on channel 0, and the empty pattern keeps other channels")
    func appMode() {
        var bench = bench("03")
        _ = bench.write("FE03", "0201AAAA0000025A00000000F40100000000")
        _ = bench.write("FE03", Self.accepted[1])
        #expect(bench.write("FE03", Self.silence) == ["written", "feel 4:50"])
        _ = bench.write("FE03", Self.accepted[1])
        #expect(bench.write("FE03", "30FF") == ["written", "feel nothing"])
    }

    @Test("A belt that is silent in pause mode rejects vibrations and commands that would end them")
    func silentPause() {
        var choices = VirtualBelt.Choices()
        choices.vibratesInPause = false
        var bench = bench("04", choices)
        for command in Self.accepted + ["2000", "2001", "2002", Self.silence] {
            #expect(bench.write("FE03", command) == ["written", "rejected"])
        }
    }

    @Test(
        "Kept channels return with their mode: channel 0 after the pause, other channels in app mode")
    func survive() {
        var choices = VirtualBelt.Choices()
        (choices.vibratesInPause, choices.channelsSurvive) = (false, true)
        var bench = bench("01", choices)
        _ = bench.write("FE03", "0001320000000106000000" + "7FFFFF00000000")
        #expect(bench.line("belt press pause").contains("feel nothing"))
        #expect(bench.line("belt press pause").contains("feel 6:50"))
        _ = bench.write("FE05", "01810300")
        _ = bench.write("FE03", "020132000000010900000000F40100000000")
        #expect(bench.line("belt press compass").contains("feel 0:50 6:50"), "channel 2 only rests")
        #expect(bench.write("FE05", "01810300").contains("feel 6:50 9:50"))
    }

    @Test(
        "A system signal (C22) is separate from the channels or on channel 0, depending on the scenario",
        arguments: ["2000", "2001", "2002"])
    func systemSignals(signal: String) {
        for (mode, stop) in [("01", Self.silence), ("03", "30FF")] {
            for place in VirtualBelt.Choices.SignalPlace.allCases {
                var choices = VirtualBelt.Choices()
                choices.systemSignals = place
                var bench = bench(mode, choices)
                #expect(bench.write("FE03", signal).last?.hasPrefix("feel") == true)
                let stopped = bench.write("FE03", stop)
                #expect(stopped == (place == .own ? ["written"] : ["written", "feel nothing"]))
            }
        }
    }
}
