import DeviceKit
import JSON
import Testing

@testable import DeviceCatalog

@Suite("Patterns together with other functions of the belt")
struct BeltHapticModeTests: BeltPatternPlaying {
    private static let appMode = "FE05 01 81 03 00"
    private static let east = "FE03 02 01 AA AA 00 00 03 5A 00 00 00 00 F4 01 00 00 00 00"

    @Test("Navigation is suspended, and resumes with a direction that arrived during the pattern")
    func navigation() {
        var bench = navigating()
        bench.command("haptic", "heavy")
        #expect(bench.takeWrites() == [all(3, 100, 300), "FE03 30 02"])
        bench.acknowledge()
        bench.command("navigation", "180")
        bench.command("navigation", "270")
        bench.acknowledge()
        #expect(bench.answers[3] == [.kept] && bench.answers[4] == [.kept])
        bench.advance(by: .milliseconds(999))
        bench.acknowledge()
        _ = bench.take()
        bench.advance(by: .milliseconds(101))
        #expect(
            bench.take() == [
                #"haptic = {"playing":null}"#,
                "> " + Self.east.replacing("03 5A 00", with: "03 0E 01"),
            ])
    }

    @Test("Navigation that starts during a pattern is shown after it")
    func lateNavigation() {
        var bench = BeltBench.online()
        bench.command("haptic", "heavy")
        bench.acknowledge()
        bench.command("navigation", "90")
        bench.acknowledge()
        bench.advance(by: .milliseconds(100))
        _ = bench.take()
        bench.notify(mode: .app)
        bench.acknowledge()
        #expect(bench.takeWrites() == [all(3, 100, 200)], "the pattern goes on in the new mode")
        bench.advance(by: .seconds(1))
        #expect(bench.takeWrites().last == Self.east)
    }

    @Test("A pattern starts before app mode is reached, and compass mode is restored after it")
    func compass() {
        var bench = BeltBench.online(mode: .compass)
        bench.command("haptic", "heavy")
        #expect(bench.takeWrites() == [all(0, 100, 300), Self.appMode])
        bench.acknowledge()
        bench.advance(by: .milliseconds(50))
        bench.notify(mode: .app)
        #expect(bench.takeWrites() == [all(3, 100, 250)])
        bench.advance(by: .milliseconds(950))
        #expect(bench.takeWrites().last == "FE05 01 81 02 00")
        bench.notify(mode: .compass)
        #expect(bench.takeWrites() == [])
    }

    @Test("Crossing mode is never left, because it would lose its heading")
    func crossing() {
        var bench = BeltBench.online(mode: .crossing)
        bench.command("haptic", "heavy")
        bench.advance(by: .seconds(2))
        let writes = bench.takeWrites()
        #expect(writes.count == 5 && writes.allSatisfy { $0.hasPrefix("FE03 00") })
    }

    @Test("A paused navigation is paused again after a pattern; a pause by the wearer blocks patterns")
    func pause() {
        var bench = navigating()
        bench.command("navigation", "pause")
        bench.acknowledge()
        bench.notify(mode: .pause)
        _ = bench.take()
        bench.command("haptic", "heavy")
        #expect(bench.takeWrites() == [all(0, 100, 300), Self.appMode])
        bench.notify(mode: .app)
        #expect(bench.takeWrites() == [all(3, 100, 300)])
        bench.advance(by: .seconds(1))
        #expect(bench.takeWrites().last == "FE05 01 81 04 00")
        bench.notify(mode: .pause)
        #expect(bench.machine.navigation.isPauseOurs && bench.machine.navigation.state == .paused)
        var paused = BeltBench.online(mode: .pause)
        paused.command("haptic", "heavy")
        #expect(paused.take() == ["#1 wrong_mode"])
    }

    @Test("A pause by the wearer ends a pattern", arguments: [BeltMode.wait, .app])
    func wearerPauses(mode: BeltMode) {
        var bench = BeltBench.online(mode: mode)
        if mode == .app { bench.command("mode", "app") }
        bench.command("haptic", "gradual")
        bench.acknowledge()
        bench.advance(by: .milliseconds(300))
        _ = bench.take()
        bench.press(.pause, mode, .pause)
        #expect(bench.take().contains(#"haptic = {"playing":null}"#))
        bench.advance(by: .seconds(3))
        #expect(bench.takeWrites() == [])
    }
}
