import Bluetooth
import Testing

@testable import VirtualDevices

@Suite("The radio environment of several hosts")
struct AirTests {
    private static let a = 0
    private static let b = 1
    private static let button = CharacteristicID(service: 0xFE51, uuid: 0xFE04)
    private static let request = CharacteristicID(service: 0xFE51, uuid: 0xFE05)
    private static let firmware = CharacteristicID(service: 0xFE51, uuid: 0xFE01)

    /// A belt near host A, with a supervision timeout of 400 ms, and host B, with a supervision timeout of 5 s.
    private struct Hosts {
        var air: Air
        var now = Duration.seconds(10)

        init(centrals: Int = 1, reaches: [String: Reach] = [:]) {
            var scenario = Scenario(devices: [Scenario.standard.devices[0]])
            scenario.devices[0].centrals = centrals
            air = Air(
                World(scenario),
                hosts: [
                    Air.Host("A", supervision: .milliseconds(400), reaches: reaches),
                    Air.Host("B", supervision: .seconds(5)),
                ])
            _ = air.start(at: now, for: a)
            _ = look(b)
        }

        /// The outputs for a host, as short text. Periodic readings of the belt are omitted.
        mutating func look(_ host: Int) -> [String] { Self.words(air.advance(to: now, for: host)) }

        mutating func pass(_ time: Duration) {
            now += time
            air.pass(to: now)
        }

        @discardableResult
        mutating func handle(_ stimulus: Stimulus, from host: Int, request: Int = 0) -> [String] {
            Self.words(air.handle(stimulus, of: "belt", from: host, request: request, at: now))
        }

        mutating func line(_ text: String) { air.perform(line: text, at: now) }

        /// The reports that name a host or contain an error.
        mutating func reports() -> [String] {
            air.takeReports().compactMap { report in
                switch report.event {
                case .link(let isUp): "\(report.host ?? "?") \(isUp)"
                case .write(_, let bytes): "\(report.host ?? "?") wrote \(Hex.string(bytes))"
                case .error(let message): message
                default: nil
                }
            }
        }

        private static func words(_ outputs: [WorldOutput]) -> [String] {
            outputs.compactMap { output in
                switch output {
                case .answer(let number, .value(let bytes)): "answer \(number) \(Hex.string(bytes))"
                case .answer(let number, .written): "answer \(number)"
                case .answer(let number, .refused(let code)): "refused \(number) \(code)"
                case .notify(_, button, let bytes): "notify \(Hex.string(bytes))"
                case .advertise(_, let isOn): "advertise \(isOn)"
                case .drop: "drop"
                case .disconnect: "disconnect"
                case .mute(_, let isOn): "mute \(isOn)"
                case .notify, .move, .report: nil
                }
            }
        }
    }

    @Test("A device that is connected to one host does not advertise and rejects a second host")
    func holdsOne() {
        var it = Hosts()
        #expect(it.air.heard(at: Self.a) == ["belt"] && it.air.heard(at: Self.b) == ["belt"])
        it.handle(.connected(mtu: 23), from: Self.a)
        #expect(it.look(Self.b) == ["advertise false"])
        #expect(!it.air.hears("belt", at: Self.b))
        #expect(!it.air.accepts("belt", from: Self.b))
        it.handle(.connected(mtu: 23), from: Self.b)
        #expect(it.handle(.read(Self.firmware), from: Self.b, request: 3) == [])
        #expect(it.handle(.read(Self.firmware), from: Self.a, request: 4) == ["answer 4 340000"])
        it.handle(.disconnected, from: Self.a)
        #expect(it.look(Self.b) == ["advertise true"])
        #expect(it.air.accepts("belt", from: Self.b))
        #expect(it.reports() == ["A true", "A false"])
    }

    @Test("Two hosts can use the same request numbers, and each receives its own answers")
    func answersEach() {
        var it = Hosts(centrals: 2)
        it.handle(.connected(mtu: 23), from: Self.a)
        it.handle(.connected(mtu: 23), from: Self.b)
        #expect(it.handle(.read(Self.firmware), from: Self.b, request: 1) == ["answer 1 340000"])
        #expect(it.look(Self.a) == ["advertise false"])
        let write = Stimulus.write(Self.request, [0x01, 0x81], withResponse: true)
        #expect(it.handle(write, from: Self.a, request: 1) == ["answer 1"])
        #expect(it.reports() == ["A true", "B true", "A wrote 0181"])
    }

    @Test(
        "A device with two central slots advertises while one is free, and notifies both hosts"
    )
    func holdsTwo() {
        var it = Hosts(centrals: 2)
        it.handle(.connected(mtu: 23), from: Self.a)
        #expect(it.look(Self.b) == [] && it.air.accepts("belt", from: Self.b))
        #expect(!it.air.accepts("belt", from: Self.a), "one link a host")
        it.handle(.connected(mtu: 23), from: Self.b)
        #expect(!it.air.hears("belt", at: Self.b))
        _ = (it.look(Self.a), it.look(Self.b))
        for host in [Self.a, Self.b] { it.handle(.subscribed(Self.button, true), from: host) }
        it.line("belt press home")
        #expect(it.look(Self.a) == ["notify 0401000101"] && it.look(Self.b) == ["notify 0401000101"])
        #expect(it.handle(.disconnected, from: Self.a) == ["advertise true"])
        #expect(it.look(Self.b) == ["advertise true"])
        it.line("belt press home")
        #expect(it.look(Self.b) == ["notify 0401000101"], "the subscription of the other one holds")
        it.handle(.subscribed(Self.button, false), from: Self.b)
        it.line("belt press home")
        #expect(it.look(Self.b) == [])
    }

    @Test("A move changes the reach for the named hosts only")
    func moves() {
        var it = Hosts(reaches: ["belt": .out])
        #expect(!it.air.hears("belt", at: Self.a))
        #expect(it.air.peripheral("belt", at: Self.b)?.rssi == -52)
        it.line("move belt A -50 B -80")
        #expect(it.look(Self.a) == ["advertise true"] && it.look(Self.b) == [])
        #expect(it.air.peripheral("belt", at: Self.a)?.rssi == -50)
        it.line("move belt B off")
        #expect(it.look(Self.b) == ["advertise false"])
        #expect(it.air.peripheral("belt", at: Self.a)?.rssi == -50)
        it.line("move belt A -60 C -50")
        #expect(it.reports() == ["no host named 'C'; hosts: A, B"])
        #expect(it.air.peripheral("belt", at: Self.a)?.rssi == -50, "nothing of a wrong line is done")
    }

    @Test("Out of range, a connection is suspended until both sides detect the supervision timeout")
    func outOfReach() {
        var it = Hosts()
        it.handle(.connected(mtu: 23), from: Self.a)
        _ = it.look(Self.b)
        it.line("move belt A off")
        #expect(it.air.nextDeadline.map { $0 <= it.now + .milliseconds(400) } ?? false)
        it.pass(.milliseconds(399))
        #expect(it.look(Self.a) == [] && it.look(Self.b) == [])
        it.pass(.milliseconds(1))
        #expect(it.look(Self.a) == ["drop"], "and it is not heard by A")
        #expect(it.look(Self.b) == ["advertise true"])
        // The host's own disconnect has no further effect on the device.
        it.handle(.disconnected, from: Self.a)
        #expect(it.air.accepts("belt", from: Self.b))
        #expect(it.reports() == ["A true", "A false"])
    }

    @Test("A device back in range before the timeout receives all packets in order")
    func backInReach() {
        var it = Hosts()
        it.handle(.connected(mtu: 23), from: Self.a)
        it.handle(.subscribed(Self.button, true), from: Self.a)
        _ = it.look(Self.a)
        it.line("move belt A off")
        #expect(
            it.handle(.write(Self.request, [0x01, 0x81], withResponse: true), from: Self.a, request: 8) == [])
        #expect(it.handle(.read(Self.firmware), from: Self.a, request: 9) == [])
        it.line("belt press home")
        #expect(it.look(Self.a) == [])
        it.pass(.milliseconds(300))
        it.line("move belt A -70")
        #expect(it.look(Self.a) == ["notify 0401000101", "answer 8", "answer 9 340000"])
        it.pass(.seconds(10))
        #expect(it.look(Self.a) == [])
    }

    @Test("Writes over a lost connection are never carried out")
    func losesWrites() {
        var it = Hosts()
        it.handle(.connected(mtu: 23), from: Self.a)
        it.line("move belt A off")
        it.handle(.write(Self.request, [0x01, 0x81], withResponse: true), from: Self.a, request: 8)
        it.pass(.seconds(1))
        it.line("move belt A -50")
        it.pass(.seconds(1))
        #expect(!it.look(Self.a).contains { $0.hasPrefix("answer") })
        #expect(it.reports() == ["A true", "A false"])
    }

    @Test("The connections of a frozen host are suspended, and it detects their loss when it resumes")
    func freezes() {
        var it = Hosts()
        it.handle(.connected(mtu: 23), from: Self.b)
        _ = it.look(Self.a)
        it.air.setFrozen(true, "B", at: it.now)
        it.pass(.milliseconds(4999))
        #expect(it.look(Self.a) == [] && it.look(Self.b) == [])
        it.pass(.milliseconds(1))
        #expect(it.look(Self.a) == ["advertise true"])
        #expect(it.look(Self.b) == [], "it stands still")
        #expect(it.air.hostWithMail == nil && !it.air.hears("belt", at: Self.b))
        it.handle(.connected(mtu: 23), from: Self.a)
        it.air.setFrozen(false, "B", at: it.now)
        #expect(it.look(Self.b).filter { $0 != "advertise false" } == ["drop"])
        #expect(it.reports() == ["B true", "B false", "A true"])
    }

    @Test("A host that is frozen for less than the supervision timeout keeps its connections")
    func thaws() {
        var it = Hosts()
        it.handle(.connected(mtu: 23), from: Self.b)
        it.air.setFrozen(true, "B", at: it.now)
        it.pass(.seconds(4))
        it.air.setFrozen(false, "B", at: it.now)
        it.pass(.seconds(10))
        #expect(!it.look(Self.b).contains("drop"))
        #expect(it.handle(.read(Self.firmware), from: Self.b, request: 2) == ["answer 2 340000"])
        it.air.setFrozen(false, "Z", at: it.now)
        #expect(it.reports() == ["B true", "no host named 'Z'; hosts: A, B"])
    }

    @Test("A device can disconnect immediately, even if the host is out of range")
    func endsHangingLinks() {
        var it = Hosts()
        it.handle(.connected(mtu: 23), from: Self.b)
        _ = it.look(Self.a)
        it.air.setFrozen(true, "B", at: it.now)
        it.line("drop belt")
        #expect(it.look(Self.a) == ["advertise true"])
        it.air.setFrozen(false, "B", at: it.now)
        #expect(it.look(Self.b).contains("drop"))
    }

    @Test("With a single host, nothing can be moved")
    func refusesToMoveAlone() {
        var air = Air(World(.standard))
        _ = air.start(at: .zero, for: 0)
        let outputs = air.perform(line: "move belt A -50", at: .seconds(1), for: 0)
        #expect(
            outputs.contains {
                guard case .report(let report) = $0, case .error(let message) = report.event else {
                    return false
                }
                return message.contains("'tactile-simulator air'")
            })
    }

    @Test(
        "After random events, a device has at most one host, and no host receives a connected device"
    )
    func holdsAlways() {
        var random = RandomSource(seed: 22)
        for _ in 0..<40 {
            var it = Hosts()
            for _ in 0..<200 {
                let host = Int.random(in: 0...1, using: &random)
                let name = ["A", "B"][host]
                switch Int.random(in: 0...6, using: &random) {
                case 0: if it.air.accepts("belt", from: host) { it.handle(.connected(mtu: 23), from: host) }
                case 1: it.handle(.disconnected, from: host)
                case 2: it.line("move belt \(name) \(Bool.random(using: &random) ? "off" : "-60")")
                case 3: it.air.setFrozen(Bool.random(using: &random), name, at: it.now)
                case 4: it.pass(.milliseconds(Int.random(in: 1...3000, using: &random)))
                case 5: it.line("drop belt")
                default: it.handle(.read(Self.firmware), from: host, request: 1)
                }
                let held = it.air.links["belt"]?.count ?? 0
                #expect(held <= 1)
                #expect(held == 0 || it.air.heard(at: 0).isEmpty && it.air.heard(at: 1).isEmpty)
                #expect(held == (it.air.world.isAdvertising("belt") ? 0 : 1), "no link is forgotten")
            }
        }
    }
}
