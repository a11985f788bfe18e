import DeviceKit
import Testing

@testable import DeviceCatalog

@Suite("Navigation, from the command to the bytes")
struct BeltNavigationTests {
    private static let appMode = "FE05 01 81 03 00"
    private static let east = "FE03 02 01 AA AA 00 00 03 5A 00 00 00 00 F4 01 00 00 00 00"

    private static func bearing(_ degrees: UInt8) -> String {
        "FE03 02 01 AA AA 00 00 03 \(hex(degrees)) 00 00 00 00 F4 01 00 00 00 00"
    }
    private static func hex(_ byte: UInt8) -> String {
        let text = String(byte, radix: 16, uppercase: true)
        return byte < 16 ? "0" + text : text
    }

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

    @Test("The sequence of the published libraries works: start, pause, resume, compass, home, stop")
    func sequence() {
        var bench = BeltBench.online()
        func step(_ expected: [String], _ act: (inout BeltBench) -> Void) {
            bench.advance(by: .milliseconds(150))
            act(&bench)
            bench.acknowledge()
            #expect(bench.takeWrites() == expected)
        }
        step([Self.appMode]) { $0.command("navigation", "90") }
        step([Self.east]) { $0.notify(mode: .app) }
        #expect(bench.answers[1] == [.ok])
        step(["FE05 01 81 04 00"]) { $0.notify(BeltGATT.button, "02 01 00 03 03") }
        step([]) { $0.notify(mode: .pause) }
        step([Self.appMode]) { $0.notify(BeltGATT.button, "02 01 00 04 04") }
        step([Self.east]) { $0.notify(mode: .app) }
        step([]) { $0.notify(BeltGATT.button, "03 01 00 03 02") }
        #expect(bench.machine.navigation.state == .paused)
        step([Self.appMode]) { $0.notify(BeltGATT.button, "04 01 00 02 02") }
        step([Self.east]) { $0.notify(mode: .app) }
        step(["FE05 01 81 01 00"]) { $0.command("navigation", "stop") }
        step([]) { $0.notify(mode: .wait) }
        #expect(bench.answers[2] == [.ok])
        #expect(bench.machine.navigation.state == .stopped)
    }

    @Test("Five updates within 100 ms become two packets; the last has the newest direction")
    func throttle() {
        var bench = navigating()
        for direction in ["0", "10", "20", "30", "40"] {
            bench.command("navigation", direction)
            bench.acknowledge()
            bench.advance(by: .milliseconds(10))
        }
        #expect(bench.takeWrites() == [Self.bearing(0)])
        bench.advance(by: .milliseconds(49))
        #expect(bench.takeWrites() == [])
        bench.advance(by: .milliseconds(1))
        #expect(bench.takeWrites() == [Self.bearing(40)])
        bench.acknowledge()
        #expect(
            (2...6).map { bench.answers[$0] } == [[.ok], [.superseded], [.superseded], [.superseded], [.ok]])
        bench.advance(by: .seconds(5))
        #expect(bench.takeWrites() == [])
    }

    @Test("The newest direction waits until the previous packet is acknowledged")
    func slowLink() {
        var bench = navigating()
        bench.command("navigation", "10")
        bench.advance(by: .milliseconds(300))
        bench.command("navigation", "20")
        bench.command("navigation", "30")
        #expect(bench.takeWrites() == [Self.bearing(10)])
        bench.complete()
        #expect(bench.takeWrites() == [Self.bearing(30)])
    }

    @Test("Of several updates that wait for app mode, only the newest is shown")
    func coalesce() {
        var bench = BeltBench.online()
        for direction in ["10", "20", "90"] { bench.command("navigation", direction) }
        #expect((1...3).map { bench.answers[$0] } == [[.superseded], [.superseded], nil])
        bench.acknowledge()
        bench.notify(mode: .app)
        bench.acknowledge()
        #expect(bench.takeWrites() == [Self.appMode, Self.east])
        #expect(bench.answers[3] == [.ok])
    }

    @Test("Updates that are queued behind another command are merged")
    func coalesceInLine() {
        var bench = navigating()
        bench.command("intensity", "60")
        for direction in ["10", "20", "30"] { bench.command("navigation", direction) }
        #expect((3...5).map { bench.answers[$0] } == [[.superseded], [.superseded], nil])
        bench.acknowledge()
        bench.notify(BeltGATT.parameterNotification, "01 02 3C")
        #expect(bench.takeWrites() == ["FE05 01 82 3C 00 01", Self.bearing(30)])
    }

    @Test("A queued pause is kept when a newer direction arrives")
    func pauseSurvives() {
        var bench = navigating()
        bench.command("intensity", "60")
        bench.command("navigation", "pause")
        bench.command("navigation", "45")
        bench.acknowledge()
        bench.notify(BeltGATT.parameterNotification, "01 02 3C")
        #expect(bench.takeWrites() == ["FE05 01 82 3C 00 01", "FE05 01 81 04 00"])
        #expect(bench.machine.navigation.state == .paused)
        #expect(bench.machine.navigation.target.direction == 45)
    }

    @Test("A new direction during a pause by the wearer is stored; start resumes with it")
    func updateWhilePaused() {
        var bench = navigating()
        bench.press(.compass, .app, .compass)
        _ = bench.take()
        bench.command("navigation", "45")
        #expect(
            bench.take() == [
                "#2 ok",
                #"navigation = {"state":"paused","direction":45,"reference":"magnetic","signal":"navigating"}"#,
            ])
        bench.command("navigation", "start")
        bench.acknowledge()
        bench.notify(mode: .app)
        #expect(bench.takeWrites() == [Self.appMode, Self.bearing(45)])
    }

    @Test("start keeps reference and signal; a bare direction resets them")
    func defaults() {
        var bench = navigating()
        bench.command("navigation", #"{"direction":20,"reference":"belt","signal":"ongoing_turn"}"#)
        bench.acknowledge()
        #expect(bench.takeWrites() == ["FE03 02 03 AA AA 00 00 02 14 00 00 00 00 EE 02 00 00 00 00"])
        bench.advance(by: .milliseconds(100))
        bench.command("navigation", #"{"signal":"destination_reached"}"#)
        bench.acknowledge()
        #expect(bench.takeWrites() == ["FE03 02 09 AA AA 00 00 01 00 00 00 00 00 88 13 00 00 00 00"])
        bench.advance(by: .milliseconds(100))
        bench.command("navigation", "90")
        bench.acknowledge()
        #expect(bench.takeWrites() == [Self.east])
        bench.advance(by: .milliseconds(100))
        bench.command("navigation", #"{"signal":"none"}"#)
        #expect(bench.takeWrites() == ["FE03 30 02"])
    }
}
