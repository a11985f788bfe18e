import Bluetooth
import VirtualDevices

/// A world with one robot, whose reports are written as short text.
struct RobotHarness {
    private(set) var world: World
    private(set) var now: Duration = .zero
    private(set) var wheels = [0, 0, 0, 0]
    private(set) var weapon = false
    private(set) var pose: [String: Int] = [:]
    private(set) var poses = 0
    private(set) var advertises = false

    init(_ choices: VirtualRobot.Choices = .init()) {
        let device = Scenario.Device(
            name: "robot", model: .robot(choices), address: "C0:FF:EE:00:B0:01", hasRandomAddress: false)
        world = World(Scenario(devices: [device]))
        note(world.start(at: now))
    }

    static func connected() -> RobotHarness {
        var bench = RobotHarness()
        bench.handle(.connected(mtu: 23))
        return bench
    }

    /// A connected robot with motor power and with directions relative to its heading.
    static func driving(_ choices: VirtualRobot.Choices = .init()) -> RobotHarness {
        var bench = RobotHarness(choices)
        bench.handle(.connected(mtu: 23))
        bench.write(2, "0,0")
        bench.write(3, "0,0")
        bench.write(4, "001")
        return bench
    }

    @discardableResult
    mutating func handle(_ stimulus: Stimulus) -> [WorldOutput] {
        let outputs = world.handle(stimulus, of: "robot", request: 1, at: now)
        note(outputs)
        return outputs
    }

    mutating func write(_ number: Int, _ text: String) {
        handle(.write(Self.id(number), Array(text.utf8), withResponse: false))
    }

    /// Writes to a characteristic, which is identified by the start of its UUID.
    mutating func write(_ name: String, _ bytes: [UInt8]) {
        write(Self.number(name), String(decoding: bytes, as: UTF8.self))
    }

    mutating func read(_ number: Int) -> String {
        for case .answer(_, .value(let bytes)) in handle(.read(Self.id(number))) {
            return String(decoding: bytes, as: UTF8.self)
        }
        return "refused"
    }

    mutating func read(_ name: String) -> [UInt8] { Array(read(Self.number(name)).utf8) }

    private static func number(_ name: String) -> Int { name.last?.wholeNumberValue ?? 0 }

    mutating func line(_ text: String) { note(world.perform(line: text, at: now)) }

    mutating func pass(_ duration: Duration) {
        let end = now + duration
        while let next = world.nextDeadline, next <= end {
            now = max(now, next)
            note(world.advance(to: now))
        }
        now = end
    }

    static func id(_ number: Int) -> CharacteristicID {
        let text = "6E40000\(number)-B5A3-F393-E0A9-E50E24DCCA9E"
        return CharacteristicID(
            service: "6E400001-B5A3-F393-E0A9-E50E24DCCA9E", uuid: UUID(text[...]) ?? 0)
    }

    private mutating func note(_ outputs: [WorldOutput]) {
        for output in outputs {
            switch output {
            case .advertise(_, let isOn): advertises = isOn
            case .report(let report):
                switch report.event {
                case .device(.wheels(let a, let b, let c, let d)): wheels = [a, b, c, d]
                case .device(.other("weapon", let details)): weapon = details["on"] == "true"
                case .device(.other("pose", let details)):
                    pose = details.compactMapValues { Int($0) }
                    poses += 1
                default: break
                }
            default: break
            }
        }
    }
}
