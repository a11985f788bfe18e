import Bluetooth
import VirtualDevices

/// A world with one belt, a client that is connected to it, and everything that happens written as short text.
struct Bench {
    private(set) var world: World
    private(set) var now: Duration = .zero

    /// Starts a belt and, unless told otherwise, connects a client that subscribes to everything.
    init(
        _ choices: VirtualBelt.Choices = .init(), isConnected: Bool = true,
        steps: [Scenario.Step] = [], faults: [Scenario.Fault] = []
    ) {
        let device = Scenario.Device(
            name: "belt", model: .belt(choices), address: "C0:FF:EE:00:BE:01", steps: steps, faults: faults)
        world = World(Scenario(devices: [device]))
        _ = world.start(at: now)
        if isConnected { _ = connect() }
    }

    static let notifying = ["FE02", "FE04", "FE06", "FE09", "FE0B", "FE0C", "FE14"]

    mutating func connect(subscribing: [String] = notifying) -> [String] {
        var happened = texts(world.handle(.connected(mtu: 23), of: "belt", at: now))
        for name in subscribing {
            happened += texts(world.handle(.subscribed(id(name), true), of: "belt", at: now))
        }
        return happened
    }

    mutating func handle(_ stimulus: Stimulus, request: Int = 1) -> [String] {
        texts(world.handle(stimulus, of: "belt", request: request, at: now))
    }

    mutating func write(_ name: String, _ hex: String, withResponse: Bool = true) -> [String] {
        handle(.write(id(name), Hex.bytes(hex) ?? [], withResponse: withResponse))
    }

    mutating func read(_ name: String) -> [String] { handle(.read(id(name))) }

    /// A live line.
    mutating func line(_ text: String) -> [String] { texts(world.perform(line: text, at: now)) }

    /// Lets time pass, every deadline at its own time, and says when what happened.
    mutating func pass(_ duration: Duration) -> [(at: Duration, what: String)] {
        let end = now + duration
        var happened: [(at: Duration, what: String)] = []
        while let next = world.nextDeadline, next <= end {
            now = max(now, next)
            happened += texts(world.advance(to: now)).map { (now, $0) }
        }
        now = end
        return happened
    }

    /// Every moment within `duration` at which what is felt changes: milliseconds from now, and the motors.
    mutating func feelings(_ duration: Duration) -> [String] {
        let start = now
        return pass(duration).filter { $0.what.hasPrefix("feel") }.map { happened in
            "\(Int((happened.at - start) / .milliseconds(1))) \(happened.what)"
        }
    }

    func id(_ name: String) -> CharacteristicID {
        for service in world.peripherals[0].services {
            for characteristic in service.characteristics
            where characteristic.id.description == name.uppercased() {
                return characteristic.id
            }
        }
        return CharacteristicID(service: 0xFE51, uuid: UUID(name[...]) ?? 0)
    }

    /// Writes outputs as words; write and link reports are left out.
    private func texts(_ outputs: [WorldOutput]) -> [String] {
        outputs.compactMap { output in
            switch output {
            case .answer(_, .written): "written"
            case .answer(_, .value(let bytes)): "value \(Hex.string(bytes))"
            case .answer(_, .refused(let code)): "refused \(code)"
            case .notify(_, let id, let bytes): "\(id) \(Hex.string(bytes))"
            case .advertise(_, let isOn): "advertise \(isOn)"
            case .disconnect: "disconnect"
            case .drop: "drop"
            case .mute(_, let isOn): "mute \(isOn)"
            case .move(_, let placements): "move \(placements.map(\.host).joined(separator: " "))"
            case .report(let report): text(report.event)
            }
        }
    }

    private func text(_ event: Report.Event) -> String? {
        switch event {
        case .device(.feel(let motors)):
            motors.isEmpty
                ? "feel nothing"
                : "feel " + motors.map { "\($0.motor):\($0.intensity)" }.joined(separator: " ")
        case .device(.other(let event, let details)):
            event == "rejected" ? "rejected" : event == "mode" ? "mode \(details["mode"] ?? "")" : nil
        case .garbage(let wanted, let sent):
            "garbage \(wanted):"
                + sent.sorted { $0.key.uuid < $1.key.uuid }.map { " \($0.key) \($0.value)" }.joined()
        case .error(let message): "error \(message)"
        default: nil
        }
    }
}

extension [String] {
    /// Only what a client sees: answers, notifications and the end of the link.
    var air: [String] {
        filter { text in
            ["written", "value", "refused", "FE", "disconnect"].contains { text.hasPrefix($0) }
        }
    }
}
