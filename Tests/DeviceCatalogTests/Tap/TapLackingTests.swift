import DeviceKit
import Testing

@testable import DeviceCatalog

@Suite("What a TAP has not of all that TAPs have")
struct TapLackingTests {
    @Test("A strap has nothing of the framed protocol, and nothing that a TapXR alone sees")
    func strap() {
        let bench = TapBench.connected(.strap2)
        let lacking = bench.machine.lacking
        #expect(
            lacking.reports == ["air_gesture", "sensing", "standby", "hand", "pointer", "xr_state"])
        #expect(lacking.commands == ["sensing", "standby", "xr_state"])
    }

    @Test("A TapXR has what straps lack, and nothing of the framed protocol")
    func xr() {
        let bench = TapBench.connected(.xr)
        let lacking = bench.machine.lacking
        #expect(lacking.reports == ["air_gesture", "sensing", "standby"])
        #expect(lacking.commands == ["sensing", "standby"])
    }

    @Test("With the framed protocol there are no input modes, and nothing that they tell")
    func framed() {
        var bench = TapBench()
        bench.connectFramed()
        let lacking = bench.machine.lacking
        #expect(
            lacking.reports == [
                "keyboard", "gesture", "air_mouse", "hand", "pointer", "input_mode", "xr_state",
            ])
        #expect(lacking.commands == ["input_mode", "xr_state"])
    }

    @Test("It is said before the TAP is ready, and nothing that is published is among it")
    func said() throws {
        for profile in [TapBench.profile(), TapBench.framedProfile] {
            var bench = TapBench()
            bench.begin(.xr, profile: profile)
            let effects = bench.effects
            let said = try #require(effects.firstIndex(of: .lack(bench.machine.lacking)))
            let ready = try #require(effects.firstIndex(of: .ready))
            #expect(said < ready)
            let lines = bench.take()
            for name in bench.machine.lacking.reports {
                #expect(!lines.contains { $0.hasPrefix("\(name) = ") })
            }
        }
    }
}
