import DeviceKit
import Testing

@testable import DeviceCatalog

@Suite("A TapXR's hand as a pointer")
struct TapPointerTests {
    /// Plays notifications at an interval, and returns the events of the pointer.
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

    @Test("A finger in two filtered reports presses; a release within 0.13 s is a click")
    func click() {
        var bench = TapBench.online(.xr)
        // The filter switches to index with the second report, so the third is the second filtered report.
        #expect(play(&bench, ["65 00", "65 00"]) == [])
        #expect(play(&bench, ["65 00"]) == [event("press", "index")])
        // The filter switches to open with the second report.
        #expect(play(&bench, ["64 00", "64 00"]) == [event("click", "index")])
        bench.advance(by: .seconds(1))
        #expect(bench.take() == [])
    }

    @Test("A press of 0.13 s becomes a drag, which ends in a drop")
    func drag() {
        var bench = TapBench.online(.xr)
        #expect(play(&bench, ["66 00", "66 00", "66 00"], every: .zero) == [event("press", "middle")])
        bench.advance(by: .milliseconds(129))
        #expect(bench.take() == [])
        bench.advance(by: .milliseconds(1))
        #expect(bench.take() == [event("drag", "middle")])
        #expect(play(&bench, ["66 00", "66 00", "64 00", "64 00"]) == [event("drop", "middle")])
    }

    @Test("An event contains the newest motion; after 0.1 s without motion, the velocity is zero")
    func motion() {
        var bench = TapBench.online(.xr)
        bench.notify(TapGATT.mouse, "00 05 00 FD FF 00 00 00 00 00")
        bench.advance(by: .milliseconds(99))
        #expect(play(&bench, ["65 00", "65 00", "65 00"], every: .zero) == [event("press", "index", 5, -3)])
        bench.advance(by: .milliseconds(1))
        #expect(play(&bench, ["64 00", "64 00"], every: .zero) == [event("click", "index")])
    }

    @Test("The other finger can follow immediately; other postures are ignored")
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
        "A drag ends when reports about the hand stop",
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

    @Test("A press is ignored when reports about the hand stop")
    func lost() {
        var bench = TapBench.online(.xr)
        bench.notify(TapGATT.air, "14 01")
        _ = play(&bench, ["65 00", "65 00", "65 00"], every: .zero)
        bench.notify(TapGATT.air, "14 00")
        bench.advance(by: .seconds(1))
        #expect(bench.take() == ["air_mouse = false"])
    }
}
