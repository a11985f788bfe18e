import Testing
import VirtualDevices

@Suite("Modes of a TAP")
struct TapModeTests {
    /// A command, and the resulting events of a tap, a mouse motion and a gesture.
    static let routing: [(command: String, tap: [String], mouse: [String], gesture: [String])] = [
        ("030C0000", ["key D"], ["pointer 1 2"], ["unheard in text"]),
        ("030C0001", ["c3ff0005 05000000"], ["c3ff0006 00010002000000000001"], ["c3ff000a 0200"]),
        (
            "030C0003", ["c3ff0005 05000000"], ["c3ff0006 00010002000000000001", "pointer 1 2"],
            ["c3ff000a 0200"]
        ),
        (
            "030C0004", ["c3ff0005 05000000"], ["c3ff0006 00010002000000000001", "pointer 1 2"],
            ["c3ff000a 0200"]
        ),
        (
            "030C0005", ["c3ff0005 05000000", "key D"], ["c3ff0006 00010002000000000001", "pointer 1 2"],
            ["c3ff000a 0200"]
        ),
        ("030C000A000000", ["unheard in raw"], ["unheard in raw"], ["unheard in raw"]),
    ]

    @Test("The mode determines the receivers of the wearer's input", arguments: routing)
    func routes(command: String, tap: [String], mouse: [String], gesture: [String]) {
        var bench = TapBench()
        #expect(bench.write(TapBench.command, command).first == "written")
        #expect(bench.act("5") == tap)
        #expect(bench.act("mouse 1 2") == mouse)
        #expect(bench.act("gesture 2") == gesture)
    }

    @Test("The TAP is a keyboard until a client sets a mode, and after a disconnect")
    func isKeyboard() {
        var bench = TapBench()
        #expect(bench.act("1") == ["key A"])
        #expect(bench.write(TapBench.command, "030C0001") == ["written", "mode controller by command"])
        #expect(bench.handle(.disconnected) == ["mode text by disconnect", "advertise true"])
        #expect(bench.act("31") == ["key Space", "unheard in not connected"])
    }

    @Test("Input without a subscription is not sent, and the TAP reports it")
    func isNotSubscribed() {
        var bench = TapBench()
        _ = bench.write(TapBench.command, "030C0001")
        for name in TapBench.notifying { _ = bench.handle(.subscribed(bench.id(name), false)) }
        #expect(bench.act("5") == ["unheard in controller"])
        #expect(bench.act("mouse 1 2") == ["unheard in controller"])
        #expect(bench.act("gesture 2") == ["unheard in controller"])
        _ = bench.handle(.subscribed(bench.id("c3ff0005"), true))
        #expect(bench.act("5") == ["c3ff0005 05000000"])
    }

    @Test("Without a refresh, the TAP returns to keyboard mode after its timeout, which a refresh restarts")
    func timesOut() {
        var bench = TapBench()
        _ = bench.write(TapBench.command, "030C0001")
        for _ in 0..<5 {
            #expect(bench.pass(.seconds(10)).map(\.what) == [])
            #expect(bench.write(TapBench.command, "030C0001") == ["written"])
        }
        let happened = bench.pass(.seconds(30))
        #expect(happened.map(\.what) == ["mode text by time-out"])
        #expect(happened.map(\.at) == [.seconds(70)])
        #expect(bench.act("2") == ["key E"])
    }

    @Test("The scenario sets or disables the timeout")
    func choosesTimeout() {
        var choices = VirtualTap.Choices()
        choices.modeTimeout = .seconds(12)
        var bench = TapBench(choices)
        _ = bench.write(TapBench.command, "030C0005")
        #expect(bench.pass(.seconds(100)).map(\.at) == [.seconds(12)])
        choices.modeTimeout = nil
        bench = TapBench(choices)
        _ = bench.write(TapBench.command, "030C0005")
        #expect(bench.pass(.seconds(100)).isEmpty)
    }

    @Test("A TAP can keep its mode after a lost connection")
    func keepsMode() {
        var bench = TapBench { $0.keepsMode = true }
        _ = bench.write(TapBench.command, "030C0001")
        #expect(bench.handle(.disconnected) == ["advertise true"])
        _ = bench.connect()
        #expect(bench.act("5") == ["c3ff0005 05000000"])
    }

    @Test(
        "An invalid command is ignored, or rejected if the scenario requires it",
        arguments: [
            "", "030C00", "030C0002", "030C0006", "030C00FF", "040C0001", "030C0101", "030E0001", "00",
        ])
    func ignores(command: String) {
        var bench = TapBench()
        #expect(bench.write(TapBench.command, command) == ["written", "rejected"])
        #expect(bench.act("1") == ["key A"])
        var choices = VirtualTap.Choices()
        choices.rejection = 0x80
        bench = TapBench(choices)
        #expect(bench.write(TapBench.command, command) == ["refused 128", "rejected"])
    }

    @Test("Two commands within 200 ms are reported, and with a slot the first is lost")
    func isHurried() {
        var bench = TapBench(VirtualTap.Choices(.xr))
        _ = bench.write(TapBench.command, "030C0001")
        _ = bench.pass(.milliseconds(199))
        #expect(bench.write(TapBench.command, "030D0002") == ["written", "hurried"])
        _ = bench.pass(.milliseconds(200))
        #expect(bench.write(TapBench.command, "030D0002") == ["written"])
        var choices = VirtualTap.Choices(.xr)
        choices.commandSlot = .milliseconds(100)
        bench = TapBench(choices)
        #expect(bench.write(TapBench.command, "030C0001") == ["written"])
        _ = bench.pass(.milliseconds(50))
        #expect(bench.write(TapBench.command, "030D0002") == ["written", "hurried"])
        #expect(bench.pass(.seconds(1)).isEmpty)
        #expect(bench.act("1") == ["key A"])
        _ = bench.write(TapBench.command, "030C0001")
        #expect(bench.pass(.seconds(1)).map(\.what) == ["mode controller by command"])
    }

    @Test("A strap ignores the XR state, and a TapXR announces changes")
    func takesXRState() {
        var bench = TapBench(controlled: .strap2)
        _ = bench.pass(.seconds(1))
        #expect(bench.write(TapBench.command, "030D0001") == ["written"])
        bench = TapBench(controlled: .xr)
        _ = bench.pass(.seconds(1))
        #expect(bench.write(TapBench.command, "030D0001") == ["written", "c3ff000a 1401"])
        #expect(bench.write(TapBench.command, "030D0001").contains("c3ff000a 1401") == false)
        _ = bench.pass(.seconds(1))
        #expect(bench.write(TapBench.command, "030D0002") == ["written", "c3ff000a 1400"])
        _ = bench.pass(.seconds(1))
        #expect(bench.write(TapBench.command, "030D0003") == ["written"])
        _ = bench.pass(.seconds(1))
        #expect(bench.write(TapBench.command, "030D0004") == ["written", "rejected"])
    }
}
