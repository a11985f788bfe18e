import Testing
import VirtualDevices

@Suite("Notifications of a TAP")
struct TapEventTests {
    @Test("A second tap is counted, unless the scenario selects the time between taps")
    func repeats() {
        var bench = TapBench(controlled: .strap2)
        #expect(bench.act("2 double shift") == ["c3ff0005 02000011"])
    }

    @Test("The air-mouse state is sent on request, in every mode, and can be read")
    func answersState() {
        var bench = TapBench()
        #expect(bench.write("c3ff000a", "0D", withResponse: false) == ["written", "c3ff000a 1400"])
        _ = bench.act("air-mouse on")
        #expect(bench.write("c3ff000a", "0D" + String(repeating: "00", count: 19)).last == "c3ff000a 1401")
        #expect(bench.read("c3ff000a") == ["value 1401"])
        #expect(bench.write("c3ff000a", "0E") == ["written", "rejected"])
    }

    @Test("The keyboard state is sent on request, and a client can cause a tap")
    func answersRequests() {
        var bench = TapBench(controlled: .strap2)
        _ = bench.act("shift on")
        #expect(bench.write("c3ff000b", "F100") == ["written", "c3ff0005 00000001"])
        #expect(bench.write("c3ff000b", "0500") == ["written", "c3ff0005 05000001"])
        #expect(bench.write("c3ff000b", "F100") == ["written", "c3ff0005 00000000"])
        #expect(bench.write("c3ff000b", "2000") == ["written", "rejected"])
    }

    @Test("Tap notifications have the scenario's length and can contain the time between taps")
    func choosesLength() {
        var choices = VirtualTap.Choices()
        choices.tapLength = 1
        var bench = TapBench(choices)
        _ = bench.write(TapBench.command, "030C0001")
        #expect(bench.act("5") == ["c3ff0005 05"])
        choices.tapLength = 6
        choices.sendsTapInterval = true
        bench = TapBench(choices)
        _ = bench.write(TapBench.command, "030C0001")
        #expect(bench.act("5") == ["c3ff0005 050000000000"])
        _ = bench.pass(.seconds(1))
        #expect(bench.act("5") == ["c3ff0005 05e803000000"])
    }

    @Test("A TapXR sends hand states ten times a second in air-mouse use")
    func sendsHands() {
        var bench = TapBench(controlled: .xr)
        #expect(bench.act("hand thumb-index") == ["c3ff000a 6500"])
        #expect(bench.pass(.seconds(5)).map(\.what) == ["c3ff000a 6500", "c3ff000a 6500"])
        #expect(bench.act("hand open 1") == ["c3ff000a 6400"])
        #expect(bench.pass(.seconds(1)).isEmpty)
        _ = bench.write(TapBench.command, "030D0001")
        _ = bench.act("hand fist")
        let happened = bench.pass(.seconds(1))
        #expect(happened.map(\.what) == Array(repeating: "c3ff000a 6900", count: 10))
        _ = bench.write(TapBench.command, "030D0002")
        #expect(bench.pass(.seconds(1)).isEmpty)
    }

    @Test("Every combination is tapped in sequence")
    func tapsNext() {
        var bench = TapBench(controlled: .strap2)
        let taps = (0..<33).flatMap { _ in bench.act("next") }
        #expect(taps.first == "c3ff0005 01000000")
        #expect(taps[30] == "c3ff0005 1f000000" && taps[31] == "c3ff0005 01000000")
    }

    @Test(
        "An action that a TAP does not support is answered with the supported actions",
        arguments: [
            "0", "32", "5 quadruple", "mouse 1", "mouse 1 2 3", "mouse 40000 1", "gesture 20", "gesture wave",
            "air-mouse maybe", "hand wave", "hand fist 0", "raw 0", "raw 1001", "raw on", "battery 101",
            "battery", "shift up", "switch locked", "send tap 5", "send hand 05", "press home", "pair now",
        ])
    func complains(act: String) {
        var bench = TapBench(controlled: .xr)
        let answers = bench.act(act)
        #expect(answers.count == 1)
        #expect(
            answers.first?.hasPrefix("error '\(act)' is not understood; a TapXR accepts: 1...31") == true)
    }

    @Test("A strap reports that it cannot detect hands")
    func seesNoHand() {
        var bench = TapBench(controlled: .strap)
        #expect(bench.act("hand fist") == ["error only a TapXR detects the hand; this is a Tap Strap"])
    }
}
