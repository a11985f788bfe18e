import DeviceKit
import Testing

@testable import DeviceCatalog

@Suite("The features that a TAP lacks")
struct TapLackingTests {
    @Test("A strap lacks the framed protocol and the features of a TapXR")
    func strap() {
        let bench = TapBench.connected(.strap2)
        let lacking = bench.machine.lacking
        #expect(
            lacking.reports == ["air_gesture", "sensing", "standby", "hand", "pointer", "xr_state"])
        #expect(lacking.commands == ["sensing", "standby", "xr_state"])
    }

    @Test("A TapXR lacks only the framed protocol")
    func xr() {
        let bench = TapBench.connected(.xr)
        let lacking = bench.machine.lacking
        #expect(lacking.reports == ["air_gesture", "sensing", "standby"])
        #expect(lacking.commands == ["sensing", "standby"])
    }

    @Test("A TAP with the framed protocol lacks input modes and their reports")
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

    @Test("Missing features are reported before the TAP is ready, and are never published")
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
