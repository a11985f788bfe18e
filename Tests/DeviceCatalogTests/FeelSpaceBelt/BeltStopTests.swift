import Bluetooth
import DeviceKit
import Testing

@testable import DeviceCatalog

@Suite("Stops, and clean closes")
struct BeltStopTests {
    private static let silence = "FE03 00 00 00 00 00 00 01 00 00 00 00 01 01 00 00 00 00 00 ahead"

    private func bench(_ mode: BeltMode, navigating: Bool = false) -> BeltBench {
        var bench = BeltBench.connected(mode: mode)
        if navigating {
            bench.command("navigation", "90")
            bench.acknowledge()
            bench.notify(mode: .app)
            bench.acknowledge()
        }
        _ = bench.take()
        return bench
    }

    @Test(
        "The stop of all devices ends vibrations, navigation, compass and crossing",
        arguments: [
            (BeltMode.wait, false, [silence]), (.pause, false, [silence]),
            (.compass, false, [silence, "FE05 01 81 01 00"]),
            (.crossing, false, [silence, "FE05 01 81 01 00"]),
            (.wait, true, ["FE03 30 FF ahead", "FE05 01 81 01 00"]),
        ])
    func allStop(_ mode: BeltMode, _ isNavigating: Bool, _ writes: [String]) {
        var bench = bench(mode, navigating: isNavigating)
        bench.feed(.stop(.allStop))
        #expect(bench.takeWrites() == writes)
        #expect(bench.machine.navigation.state == .stopped)
    }

    @Test("The stop of all devices drops queued commands")
    func dropsQueue() {
        var bench = bench(.wait)
        bench.command("mode", "app")
        bench.command("vibrate", "90")
        bench.feed(.stop(.allStop))
        #expect(bench.answers[2] == [.superseded])
    }

    @Test("The navigation of an offline belt is stopped too")
    func allStopOffline() {
        var bench = BeltBench()
        bench.command("navigation", "90")
        _ = bench.take()
        bench.feed(.stop(.allStop))
        #expect(bench.takeWrites() == [])
        #expect(bench.machine.navigation.state == .stopped)
    }

    @Test("A lost broker ends endless vibrations of commands, but not navigation")
    func brokerLost() {
        var bench = bench(.wait, navigating: true)
        bench.command("vibrate", #"{"channel":3,"direction":90}"#)
        bench.command("vibrate", #"{"channel":4,"direction":90,"iterations":2}"#)
        bench.acknowledge()
        _ = bench.take()
        bench.feed(.stop(.brokerLost))
        #expect(bench.takeWrites() == ["FE03 30 03 ahead"])
        #expect(bench.machine.navigation.state == .navigating)
    }

    @Test("A shutdown silences the belt; a suspend of the host pauses navigation")
    func shutdownAndSuspend() {
        var bench = bench(.wait, navigating: true)
        bench.feed(.stop(.shutdown))
        #expect(bench.takeWrites() == ["FE03 30 FF ahead"])
        bench.acknowledge()
        bench.feed(.stop(.suspend))
        #expect(bench.takeWrites() == ["FE03 30 FF ahead", "FE05 01 81 04 00"])
        #expect(bench.machine.navigation.state == .paused)
    }

    @Test("A stalled or reloading bridge stops nothing", arguments: [StopCause.late, .reload])
    func others(_ cause: StopCause) {
        var bench = bench(.wait, navigating: true)
        bench.feed(.stop(cause))
        #expect(bench.take() == [])
    }

    @Test("A belt in app mode is silenced and returned to wait before the link is closed")
    func closeApp() {
        var bench = bench(.wait, navigating: true)
        bench.feed(.close)
        #expect(bench.take() == [#"mode = "unknown""#, "> FE03 30 FF", "> FE05 01 81 01 00"])
        bench.complete()
        #expect(!bench.take().contains("disconnect"))
        bench.complete()
        #expect(bench.take() == ["disconnect"])
        bench.notify(mode: .wait)
        bench.feed(.disconnected)
        bench.advance(by: .seconds(5))
        #expect(bench.take() == [], "a belt that is let go stays unknown")
        #expect(bench.machine.navigation.state == .navigating)
    }

    @Test("If the last writes are not acknowledged, the link is closed after 1 s")
    func closeSilent() {
        var bench = bench(.wait, navigating: true)
        bench.feed(.close)
        _ = bench.take()
        bench.advance(by: .seconds(1))
        #expect(bench.take() == ["disconnect"])
    }

    @Test(
        "A belt without navigation is closed without writes", arguments: [BeltMode.wait, .compass, .pause])
    func closeOther(_ mode: BeltMode) {
        var bench = bench(mode)
        bench.feed(.close)
        #expect(bench.take() == [#"mode = "unknown""#, "disconnect"])
    }

    @Test("The will silences every channel during navigation")
    func will() {
        var bench = bench(.wait, navigating: false)
        #expect(bench.machine.will == .none)
        bench = self.bench(.wait, navigating: true)
        #expect(bench.machine.will.writes.map(\.value) == [bytes("30 FF")])
        bench.feed(.stop(.allStop))
        bench.acknowledge()
        bench.notify(mode: .wait)
        #expect(bench.machine.will == .none)
    }

    @Test("A vibration is in the will from its command to its end, or to the stop that the belt accepted")
    func willOfCommands() {
        var bench = bench(.app)
        bench.command("vibrate", #"{"direction":90,"iterations":3}"#)
        #expect(bench.machine.will.writes.map(\.value) == [bytes("30 FF")])
        bench.advance(by: .milliseconds(200))
        bench.complete()
        bench.advance(by: .milliseconds(1499))
        bench.notify(BeltGATT.keepAlive, "01 03")
        #expect(bench.machine.will != .none, "its length counts from the acknowledgement")
        bench.advance(by: .milliseconds(1))
        bench.notify(BeltGATT.keepAlive, "01 03")
        #expect(bench.machine.will == .none)
        bench.command("vibrate", "90")
        bench.acknowledge()
        bench.advance(by: .seconds(100_000))
        bench.command("stop", "all")
        #expect(bench.machine.will.writes.map(\.value) == [bytes("30 FF")])
        bench.acknowledge()
        #expect(bench.machine.will == .none)
    }
}
