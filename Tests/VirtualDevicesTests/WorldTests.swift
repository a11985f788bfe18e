import Bluetooth
import Testing
import VirtualDevices

@Suite("A world of virtual devices")
struct WorldTests {
    @Test("Slow answers are delayed and stay in order, only during the fault")
    func answersSlowly() {
        let fault = Scenario.Fault(
            .slow(.milliseconds(300)), characteristic: 0xFE05, after: .seconds(1), lasting: .seconds(1))
        var bench = BeltBench(faults: [fault])
        #expect(bench.write("FE05", "0102").first == "written")
        _ = bench.pass(.milliseconds(1100))
        #expect(bench.write("FE05", "0102") == [])
        #expect(bench.read("FE01") == [])
        let happened = bench.pass(.milliseconds(300))
        #expect(happened.map(\.what) == ["written", "FE06 010232", "value 340000"])
        #expect(happened.map(\.at) == Array(repeating: .milliseconds(1400), count: 3))
        _ = bench.pass(.seconds(1))
        #expect(bench.write("FE05", "0102").first == "written")
    }

    @Test("Waiting requests are dropped when the connection ends")
    func forgetsRequests() {
        var bench = BeltBench(faults: [Scenario.Fault(.slow(.seconds(5)))])
        #expect(bench.read("FE01") == [])
        _ = bench.handle(.disconnected)
        #expect(!bench.pass(.seconds(9)).contains { $0.what.hasPrefix("value") })
    }

    @Test("A rejected write does not reach the device, for the scenario's number of times")
    func refusesWrites() {
        let fault = Scenario.Fault(.refuse(0x0E), characteristic: 0xFE05, times: 2)
        var bench = BeltBench(faults: [fault])
        #expect(bench.write("FE05", "01810300") == ["refused 14"])
        #expect(bench.write("FE02", "00") == ["written"])
        #expect(bench.write("FE05", "01810300") == ["refused 14"])
        #expect(bench.write("FE05", "0101") == ["written", "FE06 010101"])
    }

    @Test("Only connected clients with a subscription are notified")
    func respectsSubscriptions() {
        var bench = BeltBench(isConnected: false)
        _ = bench.connect(subscribing: ["FE04"])
        #expect(bench.write("FE05", "0101") == ["written"])
        #expect(bench.line("belt press home") == ["FE04 0401000101"])
        _ = bench.handle(.disconnected)
        _ = bench.connect(subscribing: [])
        #expect(bench.line("belt press home") == [])
    }

    @Test("A radio action of a live line is passed to the server")
    func passesLinkLinesOn() {
        var bench = BeltBench()
        #expect(bench.line("drop belt") == ["drop"])
        _ = bench.handle(.disconnected)
        #expect(bench.line("drop belt") == [])
        #expect(bench.line("mute belt") == ["mute true", "advertise false"])
        #expect(bench.line("mute belt") == [])
        #expect(bench.line("unmute belt") == ["mute false", "advertise true"])
    }

    @Test("Random notifications are sent on every notifying characteristic, identical in every run, and end")
    func throwsGarbage() {
        func run() -> [String] {
            var bench = BeltBench()
            _ = bench.write("FE05", "0101")
            _ = bench.line("garbage belt 100")
            return bench.pass(.seconds(1)).map(\.what)
        }
        let garbage = run()
        for name in BeltBench.notifying {
            #expect(garbage.filter { $0.hasPrefix(name) }.count >= 100)
        }
        // The belt itself sends nothing on this characteristic.
        #expect(garbage.filter { $0.hasPrefix("FE14") }.count == 100)
        #expect(
            garbage.filter { $0.hasPrefix("garbage") } == [
                "garbage 100: FE02 100 FE04 100 FE06 100 FE09 100 FE0B 100 FE0C 100 FE14 100"
            ])
        #expect(garbage == run())
        #expect(garbage.contains("FE06 "))
    }

    @Test("A device performs its scenario's steps at their times")
    func followsPlan() {
        var bench = BeltBench(steps: [
            .init(after: .seconds(1), act: ["press", "home"]),
            .init(after: .seconds(2), every: .seconds(3), times: 3, act: ["turn", "right", "15"]),
            .init(after: .seconds(4), act: ["drop"]),
        ])
        let happened = bench.pass(.seconds(20)).filter { $0.what.hasPrefix("FE04") || $0.what == "drop" }
        #expect(happened.map(\.what) == ["FE04 0401000101", "drop"])
        #expect(happened.map(\.at) == [.seconds(1), .seconds(4)])
        #expect(bench.pass(.milliseconds(500)).map(\.what).contains { $0.hasPrefix("FE0C 022d00") })
    }

    @Test("Writes, connections and vibrations are reported with their time")
    func reports() {
        var world = World(.standard)
        _ = world.start(at: .seconds(100))
        _ = world.handle(.connected(mtu: 23), of: "belt", at: .seconds(101))
        let id = CharacteristicID(service: 0xFE51, uuid: 0xFE05)
        let stimulus = Stimulus.write(id, [0x01, 0x81, 0x03], withResponse: false)
        let outputs = world.handle(stimulus, of: "belt", request: 7, at: .seconds(102))
        let report = Report(device: "belt", time: .seconds(102), event: .write(id, [0x01, 0x81, 0x03]))
        #expect(outputs.first == .report(report))
        #expect(outputs.contains(.answer(request: 7, .written)))
    }

    @Test("Requests to an unknown device are rejected")
    func knowsItsDevices() {
        var world = World(.standard)
        let id = CharacteristicID(service: 0xFE51, uuid: 0xFE01)
        #expect(
            world.handle(.read(id), of: "toaster", request: 3, at: .zero)
                == [.answer(request: 3, .refused(14))]
        )
    }

    @Test("A server that was delayed does not replay hours")
    func forgetsThePast() {
        var bench = BeltBench(isConnected: true)
        _ = bench.handle(.subscribed(bench.id("FE0C"), true))
        let outputs = bench.world.advanced(by: .seconds(36_000))
        #expect(outputs.count < 100)
    }

    @Test("Random writes, reads and actions cause no crash, and every request is answered once")
    func survivesNonsense() {
        var bench = BeltBench()
        var random = SystemRandomNumberGenerator()
        let names = BeltBench.notifying + ["FE01", "FE03", "FE05", "FE07", "FE0A", "FE13"]
        let acts = [
            "press home", "press power long", "turn 17", "mode app", "mode wait", "compass inaccurate",
        ]
        for round in 0..<20_000 {
            var bytes = (0..<Int.random(in: 0...20, using: &random)).map { _ in
                UInt8.random(in: .min ... .max, using: &random)
            }
            if !bytes.isEmpty, round.isMultiple(of: 2) { bytes[0] = UInt8.random(in: 0...6, using: &random) }
            let name = names.randomElement(using: &random) ?? "FE03"
            let happened = bench.write(name, Hex.string(bytes)) + bench.read(name)
            let answers = happened.filter { text in
                ["written", "refused", "value"].contains { text.hasPrefix($0) }
            }
            #expect(answers.count == 2)
            if round.isMultiple(of: 50) { _ = bench.line("belt \(acts.randomElement(using: &random) ?? "")") }
            _ = bench.pass(.milliseconds(Int64.random(in: 0...30, using: &random)))
        }
        _ = bench.line("belt press power long")
        _ = bench.handle(.disconnected)
        _ = bench.line("belt press power long")
        _ = bench.connect()
        #expect(bench.read("FE01") != [])
    }
}

extension World {
    /// The outputs after a jump in time.
    fileprivate func advanced(by duration: Duration) -> [WorldOutput] {
        var copy = self
        return copy.advance(to: duration)
    }
}
