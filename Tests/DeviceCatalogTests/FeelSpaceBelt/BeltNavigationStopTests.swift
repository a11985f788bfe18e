import DeviceKit
import Testing

@testable import DeviceCatalog

@Suite("A stopped navigation has no direction and starts only on request")
struct BeltNavigationStopTests {
    private static let appMode = "FE05 01 81 03 00"
    private static let stopped =
        #"navigation = {"state":"stopped","direction":null,"reference":"magnetic","signal":"navigating"}"#

    /// Returns a belt in app mode with navigation to the left of its front and a special signal.
    private func navigating() -> BeltBench {
        var bench = BeltBench.connected()
        bench.command(
            "navigation",
            #"{"direction":270,"reference":"belt","signal":"ongoing_turn","state":"navigating"}"#)
        bench.acknowledge()
        bench.notify(mode: .app)
        bench.acknowledge()
        bench.advance(by: .milliseconds(200))
        _ = bench.take()
        return bench
    }

    @Test("stop clears the direction and resets the signal; a start without direction is then refused")
    func forgets() {
        var bench = navigating()
        bench.command("navigation", "stop")
        #expect(bench.take() == ["> FE05 01 81 01 00", Self.stopped])
        bench.acknowledge()
        bench.notify(mode: .wait)
        #expect(bench.answers[2] == [.ok])
        _ = bench.take()
        bench.command("navigation", "start")
        #expect(bench.take() == ["#3 missing_field"])
        guard case .failed(let error) = bench.answers[3]?.first else { return }
        #expect(error.message.contains("since the last stop") && error.message.contains("0 to 360"))
    }

    @Test("stop clears a direction that was set while navigation was stopped", arguments: [true, false])
    func forgetsStored(isOnline: Bool) {
        var bench = BeltBench()
        if isOnline { bench.connect() }
        bench.command("navigation", #"{"direction":90}"#)
        bench.command("navigation", "stop")
        bench.command("navigation", "start")
        #expect(bench.take().last == "#3 missing_field")
        #expect(bench.machine.navigation == BeltNavigation())
    }

    @Test("all/stop, and a destination that stops navigation, clear the direction too")
    func otherStops() {
        var bench = navigating()
        bench.feed(.stop(.allStop))
        #expect(bench.machine.navigation.target == .init())
        bench = navigating()
        bench.command("notify", #"{"kind":"destination_reached","stop_navigation":true}"#)
        #expect(bench.machine.navigation.target == .init())
    }

    @Test("A pause, a lost link, the wearer's compass and a suspend of the host keep the direction")
    func kept() {
        var bench = navigating()
        bench.press(.compass, .app, .compass)
        bench.feed(.stop(.suspend))
        bench.feed(.disconnected)
        #expect(bench.machine.navigation.target.direction == 270)
        bench.command("navigation", "start")
        #expect(bench.machine.navigation.state == .navigating)
    }

    @Test(
        "An object with only direction, signal or reference is stored and starts nothing",
        arguments: [
            #"{"direction":90}"#, #"{"direction":90,"reference":"belt"}"#, #"{"signal":"none"}"#,
            #"{"reference":"belt"}"#,
        ])
    func stored(_ payload: String) {
        var bench = BeltBench.online(mode: .app)
        bench.command("navigation", payload)
        #expect(bench.takeWrites() == [])
        #expect(bench.answers[1] == [.ok])
        #expect(bench.machine.navigation.state == .stopped)
        #expect(bench.machine.navigation.target != .init())
    }

    @Test(
        "A bare direction starts a stopped navigation, like start_if_stopped in an object",
        arguments: ["90", #"{"direction":90,"start_if_stopped":true}"#])
    func bare(_ payload: String) {
        var bench = BeltBench.online()
        bench.command("navigation", payload)
        #expect(bench.takeWrites() == [Self.appMode])
        #expect(bench.machine.navigation.state == .navigating)
        bench.acknowledge()
        bench.notify(mode: .app)
        bench.press(.compass, .app, .compass)
        _ = bench.take()
        bench.command("navigation", payload)
        #expect(bench.machine.navigation.state == .paused, "the wearer's pause holds")
    }

    @Test("start uses a direction that was stored earlier")
    func startsStored() {
        var bench = BeltBench.connected()
        bench.command("navigation", #"{"direction":45}"#)
        _ = bench.take()
        bench.command("navigation", "start")
        bench.acknowledge()
        bench.notify(mode: .app)
        #expect(
            bench.takeWrites() == [
                Self.appMode, "FE03 02 01 AA AA 00 00 03 2D 00 00 00 00 F4 01 00 00 00 00",
            ])
    }

    @Test("A queued stop is not replaced by a later direction or start")
    func waitingStop() {
        var bench = navigating()
        bench.command("intensity", "60")
        for payload in ["10", "stop", "start", #"{"direction":20}"#] { bench.command("navigation", payload) }
        #expect((3...5).map { bench.answers[$0] } == [[.superseded], nil, [.superseded]])
        bench.acknowledge()
        bench.notify(BeltGATT.parameterNotification, "01 02 3C")
        bench.acknowledge()
        bench.notify(mode: .wait)
        #expect(bench.answers[4] == [.ok])
        // The start that was queued after the stop, with the newer direction.
        #expect(bench.machine.navigation.state == .navigating)
        #expect(bench.machine.navigation.target == .init(direction: 20))
    }

    @Test("However many directions and stops are queued behind another command, at most two remain")
    func bounded() {
        var bench = navigating()
        bench.command("intensity", "60")
        for number in 0..<3000 {
            bench.command("navigation", number.isMultiple(of: 3) ? "stop" : "\(number % 360)")
        }
        #expect(bench.machine.queue.elements.count <= 2)
    }
}
