import DeviceKit
import Testing

@testable import DeviceCatalog

@Suite("Navigation is kept over lost links, and the wearer's buttons have priority")
struct BeltWearerTests {
    private static let appMode = "FE05 01 81 03 00"
    private static let east = "FE03 02 01 AA AA 00 00 03 5A 00 00 00 00 F4 01 00 00 00 00"

    /// Returns a belt with navigation to the east.
    private func navigating() -> BeltBench {
        var bench = BeltBench.connected()
        bench.command("navigation", "90")
        bench.acknowledge()
        bench.notify(mode: .app)
        bench.acknowledge()
        bench.advance(by: .milliseconds(200))
        _ = bench.take()
        return bench
    }

    @Test("A lost link keeps navigation, which resumes with the next link", arguments: [BeltMode.wait, .app])
    func resume(mode: BeltMode) {
        var bench = navigating()
        bench.feed(.disconnected)
        bench.advance(by: .seconds(10))
        bench.connect(mode: mode)
        #expect(bench.takeWrites().last == (mode == .app ? Self.east : Self.appMode))
        if mode != .app {
            bench.notify(mode: .app)
            #expect(bench.takeWrites() == [Self.east])
        }
    }

    @Test("Navigation commands for an offline belt are kept and carried out on the next link")
    func kept() {
        var bench = BeltBench()
        bench.command("navigation", "10")
        bench.command("navigation", "90")
        bench.command("navigation", "pause")
        bench.command("navigation", "start")
        #expect((1...4).map { bench.answers[$0] } == Array(repeating: [.kept], count: 4))
        bench.connect()
        #expect(bench.takeWrites().last == Self.appMode)
        bench.notify(mode: .app)
        #expect(bench.takeWrites() == [Self.east])
    }

    @Test("A belt that is switched off during navigation is paused, and still paused on the next link")
    func poweredOff() {
        var bench = navigating()
        bench.press(.power, .app, .standby, type: 3)
        #expect(
            bench.take() == [
                #"button = {"button":"power","press":"long","previous_mode":"app","mode":"standby"}"#,
                #"mode = "standby""#, #"mode = "unknown""#, "fail poweredOff",
                #"navigation = {"state":"paused","direction":90,"reference":"magnetic","signal":"navigating"}"#,
            ])
        bench.feed(.disconnected)
        bench.connect()
        #expect(bench.machine.navigation.state == .paused)
        #expect(!bench.takeWrites().contains(Self.appMode))
    }

    @Test("If the belt does not enter app mode, the command times out, and the next one tries again")
    func refusedAppMode() {
        var bench = BeltBench.connected()
        bench.command("navigation", "10")
        bench.acknowledge()
        _ = bench.take()
        bench.advance(by: .seconds(1))
        #expect(bench.take() == ["#1 timeout"])
        bench.command("navigation", "90")
        #expect(bench.takeWrites() == [Self.appMode])
    }

    @Test("If the wearer pauses before the signal is written, the command is refused")
    func wearerIsFaster() {
        var bench = navigating()
        bench.command("navigation", "10")
        bench.command("navigation", "20")
        bench.acknowledge()
        bench.press(.compass, .app, .compass)
        #expect(bench.answers[2] == [.ok])
        #expect(bench.take().contains("#3 wrong_mode"))
    }

    @Test("A press of home is reported to the application")
    func home() {
        var bench = navigating()
        bench.press(.home, .app, .app)
        #expect(bench.take().last == #"home = {"navigating":true}"#)
        bench.command("navigation", "stop")
        bench.acknowledge()
        bench.notify(mode: .wait)
        _ = bench.take()
        bench.notify(BeltGATT.button, "04 01 00 01 01")
        #expect(
            bench.take() == [
                #"button = {"button":"home","press":"short","previous_mode":"wait","mode":"wait"}"#,
                #"home = {"navigating":false}"#,
            ])
    }

    @Test("The destination signal is played, and ends navigation on request")
    func destinationReached() {
        var bench = navigating()
        bench.command("notify", "destination_reached")
        #expect(bench.takeWrites() == ["FE03 20 01"])
        bench.command("notify", #"{"kind":"destination_reached","stop_navigation":true}"#)
        #expect(bench.takeWrites() == ["FE05 01 81 01 00", "FE03 20 01"])
        #expect(bench.machine.navigation.state == .stopped)
    }

    @Test("App mode requested by a command is kept, and pause and home are handled in it")
    func claimedAppMode() {
        var bench = BeltBench.connected()
        bench.command("mode", "app")
        bench.acknowledge()
        bench.notify(mode: .app)
        _ = bench.take()
        bench.press(.home, .app, .app)
        #expect(bench.take().last == #"home = {"navigating":false}"#)
        bench.press(.pause, .app, .app)
        #expect(bench.takeWrites() == ["FE05 01 81 04 00"])
        bench.notify(mode: .pause)
        bench.press(.pause, .pause, .pause)
        #expect(bench.takeWrites() == [Self.appMode])
        bench.notify(mode: .app)
        #expect(bench.takeWrites() == [])
    }

    @Test("App mode without a request is left, as in the published controllers")
    func unclaimedAppMode() {
        var bench = BeltBench.online()
        bench.notify(mode: .app)
        #expect(bench.takeWrites() == ["FE05 01 81 01 00"])
    }
}
