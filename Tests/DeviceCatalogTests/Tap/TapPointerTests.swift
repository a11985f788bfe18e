import DeviceKit
import Testing

@testable import DeviceCatalog

@Suite("A TapXR's hand as a pointer")
struct TapPointerTests {
    /// What the pointer did, and when, counted from the call.
    private func play(
        _ bench: inout TapBench, _ words: [String], every time: Duration = .milliseconds(30)
    ) -> [String] {
        for word in words {
            bench.notify(TapGATT.air, word)
            bench.advance(by: time)
        }
        return bench.take().filter { $0.hasPrefix("pointer") }
    }

    private func event(_ action: String, _ finger: String, _ x: Int = 0, _ y: Int = 0) -> String {
        #"pointer = {"action":"\#(action)","finger":"\#(finger)","velocity_x":\#(x),"velocity_y":\#(y)}"#
    }

    @Test("A finger that the filter says twice presses; let go within 0.13 s it was a click")
    func click() {
        var bench = TapBench.online(.xr)
        // The filter says index with the second word, so the third one is the second of the filter.
        #expect(play(&bench, ["65 00", "65 00"]) == [])
        #expect(play(&bench, ["65 00"]) == [event("press", "index")])
        // It says open with the second word of three.
        #expect(play(&bench, ["64 00", "64 00"]) == [event("click", "index")])
        bench.advance(by: .seconds(1))
        #expect(bench.take() == [])
    }

    @Test("Held for 0.13 s it is a drag, which ends in a drop")
    func drag() {
        var bench = TapBench.online(.xr)
        #expect(play(&bench, ["66 00", "66 00", "66 00"], every: .zero) == [event("press", "middle")])
        bench.advance(by: .milliseconds(129))
        #expect(bench.take() == [])
        bench.advance(by: .milliseconds(1))
        #expect(bench.take() == [event("drag", "middle")])
        #expect(play(&bench, ["66 00", "66 00", "64 00", "64 00"]) == [event("drop", "middle")])
    }

    @Test("The newest motion goes with it; none for 0.1 s is rest")
    func motion() {
        var bench = TapBench.online(.xr)
        bench.notify(TapGATT.mouse, "00 05 00 FD FF 00 00 00 00 00")
        bench.advance(by: .milliseconds(99))
        #expect(play(&bench, ["65 00", "65 00", "65 00"], every: .zero) == [event("press", "index", 5, -3)])
        bench.advance(by: .milliseconds(1))
        #expect(play(&bench, ["64 00", "64 00"], every: .zero) == [event("click", "index")])
    }

    @Test("The other finger may follow at once; other postures say nothing")
    func otherFinger() {
        var bench = TapBench.online(.xr)
        _ = play(&bench, ["65 00", "65 00", "65 00"], every: .zero)
        #expect(play(&bench, ["69 00", "69 00", "69 00"], every: .zero) == [])
        #expect(
            play(&bench, ["66 00", "66 00", "66 00"], every: .zero)
                == [event("click", "index"), event("press", "middle")])
        bench.advance(by: .milliseconds(130))
        #expect(bench.take() == [event("drag", "middle")])
    }

    @Test(
        "A drag ends when the hand is not heard of any more",
        arguments: ["air", "mode", "link", "close"])
    func end(_ cause: String) {
        var bench = TapBench.online(.xr)
        bench.notify(TapGATT.air, "14 01")
        _ = play(&bench, ["65 00", "65 00", "65 00"])
        bench.advance(by: .milliseconds(200))
        #expect(bench.take() == [event("drag", "index")])
        switch cause {
        case "air": bench.notify(TapGATT.air, "14 00")
        case "mode":
            bench.command("input_mode", "text")
            bench.acknowledge()
        case "link": bench.feed(.disconnected)
        default: bench.feed(.close)
        }
        #expect(bench.take().contains(event("drop", "index")))
    }

    @Test("A press whose hand is not heard of any more comes to nothing")
    func lost() {
        var bench = TapBench.online(.xr)
        bench.notify(TapGATT.air, "14 01")
        _ = play(&bench, ["65 00", "65 00", "65 00"], every: .zero)
        bench.notify(TapGATT.air, "14 00")
        bench.advance(by: .seconds(1))
        #expect(bench.take() == ["air_mouse = false"])
    }
}
