import Bluetooth
import BridgeTesting
import DeviceKit
import Glibc
import JSON
import Logging
import Messages
import Testing

@testable import BridgeContract
@testable import BridgeCore
@testable import BridgeParts

@Suite("Floods of stops", .serialized)
struct StopFloodTests {
    private static let address: Address = "AA:BB:CC:A1:B2:C3"

    /// Returns the CPU time of this thread for some work, independent of other load on the host.
    private static func computing(_ work: () throws -> Void) rethrows -> Duration {
        func now() -> Duration {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
        }
        let start = now()
        try work()
        return now() - start
    }

    private func withPress(_ body: (TestBridge) throws -> Void) rethrows {
        try withLab { lab in
            let settings = BridgeSettings(
                id: "attic", devices: [.init(name: "press", family: "press", address: Self.address)])
            let bench = lab.bridge(settings, families: [LatchFamily()], logLevel: .critical)
            bench.connectBroker()
            bench.hear(Self.address, name: "press")
            try body(bench)
        }
    }

    private func stops(_ bench: TestBridge) -> Int {
        bench.link(Self.address)?.writes(LatchFamily.motor).count { $0 == [0] } ?? 0
    }

    /// Sends a number of emergency stops while the disk hangs, then lets the disk work.
    private func flood(_ count: Int) -> Duration {
        var time = Duration.zero
        withPress { bench in
            bench.latches.setDisk(.hangs)
            time = Self.computing {
                for number in 0..<count {
                    bench.send("emergency_stop", #"{"id":\#(number)}"#, device: "press")
                }
                bench.latches.setDisk(.works)
            }
            let answers = bench.results("press")
            #expect(answers.map { $0["id"] } == (0..<count).map { .integer($0) })
            #expect(answers.allSatisfy { $0["status"] == "ok" && $0["latch"] == "kept" })
            #expect(stops(bench) == 1)
        }
        return time
    }

    @Test("A stop in progress absorbs further stops, and each is answered at the same cost")
    func absorbed() {
        let few = flood(1500)
        let many = flood(15_000)
        print("computing time: 1,500 emergency stops \(few), 15,000 \(many)")
        #expect(many < few * 30)
    }

    @Test("After a command or notification that may move the device, a stop is executed itself")
    func notAbsorbed() {
        withPress { bench in
            bench.latches.setDisk(.hangs)
            bench.send("emergency_stop", #"{"id":1}"#, device: "press")
            bench.send("emergency_stop", #"{"id":2}"#, device: "press")
            #expect(stops(bench) == 1)
            bench.send("release", #"{"id":3}"#, device: "press")
            bench.send("emergency_stop", #"{"id":4}"#, device: "press")
            #expect(stops(bench) == 2)
            bench.link(Self.address)?.notify(LatchFamily.motor, [1])
            bench.send("emergency_stop", #"{"id":5}"#, device: "press")
            #expect(stops(bench) == 3)
            bench.latches.setDisk(.works)
            #expect(Set(bench.results("press").compactMap { $0["id"]?.integer }) == [1, 2, 3, 4, 5])
            #expect(bench.results("press").count == 5)
        }
    }

    @Test("The loss of the connection answers absorbed stops too")
    func lost() {
        withPress { bench in
            bench.latches.setDisk(.hangs)
            for number in 0..<3 { bench.send("emergency_stop", #"{"id":\#(number)}"#, device: "press") }
            bench.link(Self.address)?.lose("gone")
            #expect(bench.results("press").map { $0["id"] } == [0, 1, 2])
            #expect(bench.results("press").allSatisfy { $0["code"] == "device_offline" })
        }
    }

    @Test("Open commands are closed in any order at the same cost")
    func open() {
        func time(_ count: Int) -> Duration {
            var open = OpenCommands()
            let request = CommandRequest(feature: "stop", payload: [], arrival: .zero)
            let ids = (0..<count).map { _ in
                open.open(PendingCommand(request: request, isQuiet: false), at: .zero)
            }
            return Self.computing {
                for place in 0..<count {
                    let id = ids[place % 2 == 0 ? place / 2 : count - 1 - place / 2]
                    let command = open.close(id)
                    #expect(command != nil)
                }
                #expect(open.count == 0 && open.ids.isEmpty)
            }
        }
        let (few, many) = (time(3000), time(30_000))
        print("computing time: closing 3,000 commands \(few), 30,000 \(many)")
        #expect(many < few * 30)
    }

    @Test("Duplicates of thousands of different stops are detected")
    func copies() {
        var copies = DuplicateStops()
        func request(_ number: Int) -> CommandRequest {
            CommandRequest(
                IncomingMessage(
                    topic: "robot/stop/set", payload: Array(#"{"id":\#(number)}"#.utf8),
                    arrival: .seconds(10) + .microseconds(number)), feature: "stop")
        }
        for number in 0..<3000 {
            let answers = [copies.isCopy(request(number)), copies.isCopy(request(number))]
            #expect(answers == [false, true])
        }
    }

    @Test("Duplicates of 50,000 different stops are detected, even if they arrive after all of them")
    func lateCopies() {
        var copies = DuplicateStops()
        let requests = (0..<50_000).map { number in
            CommandRequest(
                IncomingMessage(
                    topic: "robot/stop/set", payload: Array(#"{"id":\#(number)}"#.utf8),
                    arrival: .seconds(10) + .microseconds(number)), feature: "stop")
        }
        let first = requests.count { copies.isCopy($0) }
        let second = requests.count { copies.isCopy($0) }
        #expect(first == 0 && second == 50_000)
    }
}
