import Bluetooth
import Testing

@testable import VirtualDevices

@Suite("Replay of a recorded device")
struct ReplayTests {
    private static let id = CharacteristicID(service: 0xAA00, uuid: 0xAA01)
    private static let other = CharacteristicID(service: 0xAA00, uuid: 0xAA02)

    private static let broken = #"{"ms":1,"device":"thing","event":"notify","characteristic":"#

    private static let head = """
        {"recording":1,"bridge":"attic"}
        {"ms":100,"device":"thing","event":"link","family":"sample","address":"C0:00:00:00:00:01","name":"Thing",\
        "mtu":100,"paired":false,"services":["aa00","1812"],\
        "characteristics":{"aa00/aa01":["read","write","notify"],"aa00/aa02":["write"]}}

        """

    /// A world with the device of a recording, connected and subscribed.
    private struct DeviceHarness {
        var world: World
        var now = Duration.zero

        init(_ lines: String, isConnected: Bool = true) throws {
            world = World(try Recording(head + lines, file: "test.jsonl").scenario)
            _ = world.start(at: now)
            if isConnected { _ = world.handle(.connected(mtu: 23), of: "thing", at: now) }
        }

        mutating func handle(_ stimulus: Stimulus) -> [WorldOutput] {
            world.handle(stimulus, of: "thing", request: 1, at: now).filter {
                if case .report = $0 { false } else { true }
            }
        }

        mutating func write(_ id: CharacteristicID, _ bytes: [UInt8]) -> [WorldOutput] {
            handle(.write(id, bytes, withResponse: true))
        }

        /// The notifications within a duration, with their times.
        mutating func pass(_ time: Duration) -> [(Duration, [UInt8])] {
            let end = now + time
            var happened: [(Duration, [UInt8])] = []
            while let next = world.nextDeadline, next <= end {
                now = max(now, next)
                for case .notify(_, _, let bytes) in world.advance(to: now) { happened.append((now, bytes)) }
            }
            now = end
            return happened
        }

        mutating func reports(_ time: Duration) -> [String] {
            now += time
            return world.advance(to: now).compactMap { output in
                guard case .report(let report) = output,
                    case .device(.other(let event, let details)) = report.event
                else { return nil }
                return "\(event) \(details["for"] ?? "")"
            }
        }
    }

    @Test("The table, the name and the services are those of the connection")
    func profile() throws {
        let bench = try DeviceHarness("", isConnected: false)
        let peripheral = try #require(bench.world.peripheral("thing"))
        #expect(peripheral.advertisement.name == "Thing")
        #expect(peripheral.address == "C0:00:00:00:00:01")
        #expect(peripheral.mtu == 100)
        #expect(peripheral.services.map(\.uuid) == [0xAA00, 0x1812])
        #expect(peripheral.services[0].characteristics.map(\.id) == [Self.id, Self.other])
        #expect(peripheral.services[0].characteristics[0].properties == [.read, .write, .notify])
    }

    @Test("Reads return the recorded values in order, then the last value, and recorded errors")
    func reads() throws {
        var bench = try DeviceHarness(
            """
            {"ms":110,"device":"thing","event":"read","characteristic":"aa00/aa01","hex":"01"}
            {"ms":120,"device":"thing","event":"read","characteristic":"aa00/aa01","hex":"02"}
            {"ms":130,"device":"thing","event":"failed","operation":"read",\
            "characteristic":"aa00/aa02","code":"notPermitted","reason":"no"}

            """)
        for value: [UInt8] in [[1], [2], [2]] {
            #expect(bench.handle(.read(Self.id)) == [.answer(request: 1, .value(value))])
        }
        #expect(bench.handle(.read(Self.other)) == [.answer(request: 1, .refused(2))])
    }

    @Test("A notification waits for the writes before it and for the recorded delay")
    func order() throws {
        var bench = try DeviceHarness(
            """
            {"ms":110,"device":"thing","event":"subscribe","characteristic":"aa00/aa01"}
            {"ms":150,"device":"thing","event":"notify","characteristic":"aa00/aa01","hex":"aa"}
            {"ms":200,"device":"thing","event":"write","characteristic":"aa00/aa02","hex":"01","response":true}
            {"ms":210,"device":"thing","event":"write","characteristic":"aa00/aa02","hex":"02","response":true}
            {"ms":510,"device":"thing","event":"notify","characteristic":"aa00/aa01","hex":"bb"}
            {"ms":520,"device":"thing","event":"notify","characteristic":"aa00/aa01","hex":"cc"}

            """)
        #expect(bench.pass(.seconds(1)).isEmpty)
        _ = bench.handle(.subscribed(Self.id, true))
        let first = bench.pass(.seconds(1))
        #expect(first.map(\.0) == [.milliseconds(1040)])
        #expect(first.map(\.1) == [[0xAA]])
        // Out of order: an early step takes effect in its position.
        #expect(bench.write(Self.other, [2]) == [.answer(request: 1, .written)])
        #expect(bench.pass(.seconds(1)).isEmpty)
        _ = bench.write(Self.other, [1])
        let second = bench.pass(.seconds(1))
        #expect(second.map(\.0) == [.milliseconds(3300), .milliseconds(3310)])
        #expect(second.map(\.1) == [[0xBB], [0xCC]])
    }

    @Test("A client that is ahead of the recording receives the earlier notifications immediately")
    func haste() throws {
        var bench = try DeviceHarness(
            """
            {"ms":110,"device":"thing","event":"subscribe","characteristic":"aa00/aa01"}
            {"ms":9000,"device":"thing","event":"notify","characteristic":"aa00/aa01","hex":"aa"}
            {"ms":9100,"device":"thing","event":"write","characteristic":"aa00/aa02","hex":"01","response":true}
            {"ms":9110,"device":"thing","event":"notify","characteristic":"aa00/aa01","hex":"bb"}

            """)
        _ = bench.handle(.subscribed(Self.id, true))
        let outputs = bench.write(Self.other, [1])
        #expect(outputs.contains(.notify(device: "thing", Self.id, [0xAA])))
        #expect(bench.pass(.seconds(1)).map(\.1) == [[0xBB]])
    }

    @Test("A rejected write is rejected again, and an unknown write is accepted and reported")
    func writes() throws {
        var bench = try DeviceHarness(
            """
            {"ms":110,"device":"thing","event":"write","characteristic":"aa00/aa02","hex":"01","response":true}
            {"ms":120,"device":"thing","event":"failed","operation":"write",\
            "characteristic":"aa00/aa02","code":"invalidLength","reason":"no"}

            """)
        #expect(bench.write(Self.other, [1]) == [.answer(request: 1, .refused(0x0D))])
        #expect(bench.write(Self.other, [7]) == [.answer(request: 1, .written)])
    }

    @Test("A client that does not continue is reported after a while")
    func patience() throws {
        var bench = try DeviceHarness(
            """
            {"ms":110,"device":"thing","event":"write","characteristic":"aa00/aa02","hex":"0a","response":true}
            {"ms":120,"device":"thing","event":"notify","characteristic":"aa00/aa01","hex":"bb"}

            """)
        #expect(bench.reports(.seconds(11)) == ["replay_waits write AA02 0a"])
    }

    @Test("A connection that the device lost is dropped again, a connection that the bridge closed is not")
    func loss() throws {
        var lost = try DeviceHarness(#"{"ms":300,"device":"thing","event":"lost","reason":"away"}"# + "\n")
        lost.now += .seconds(1)
        let outputs = lost.world.advance(to: lost.now)
        #expect(outputs.contains(.disconnect(device: "thing")))
        var closed = try DeviceHarness(
            """
            {"ms":290,"device":"thing","event":"close","reason":"stopped"}
            {"ms":300,"device":"thing","event":"lost","reason":"away"}

            """)
        closed.now += .seconds(1)
        let others = closed.world.advance(to: closed.now)
        #expect(!others.contains(.disconnect(device: "thing")))
    }

    @Test(
        "A text that is not a recording is rejected with the line number",
        arguments: [
            ("", "nothing found"), ("{}\n", "no \"recording\""),
            (#"{"recording":9}"# + "\n", "recording 9 found"),
            (#"{"recording":1}"# + "\n", "no line with"),
            (#"{"recording":1}"# + "\nbroken\n", "JSON object"),
            (head + broken + #""x","hex":"00"}"# + "\n", "characteristic"),
            (head + broken + #""aa00/aa01","hex":"0"}"# + "\n", "hexadecimal"),
        ])
    func misuse(_ text: String, _ words: String) throws {
        let error = #expect(throws: ScenarioError.self) { try Recording(text, file: "test.jsonl") }
        #expect(error?.description.hasPrefix("test.jsonl:") == true)
        #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
    }

    @Test("An incomplete last line is ignored")
    func brokenOff() throws {
        #expect(try Recording(Self.head + "{\"ms\":3", file: "test.jsonl").devices.count == 1)
    }
}
