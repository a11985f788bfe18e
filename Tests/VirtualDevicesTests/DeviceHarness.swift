import Bluetooth
import VirtualDevices

/// A kind of virtual device from a client's point of view.
protocol HarnessDevice {
    associatedtype Choices
    static var name: String { get }
    static var address: Address { get }
    static var mtu: Int { get }
    /// The characteristics that a client subscribes to.
    static var notifying: [String] { get }
    static var standard: Choices { get }
    static func model(_ choices: Choices) -> Scenario.Model
    static func name(_ id: CharacteristicID) -> String
    /// The text of a device's report; nil for omitted reports.
    static func text(_ report: DeviceReport) -> String?
}

/// A world with one device and a connected client. All events are written as short text.
struct DeviceHarness<Device: HarnessDevice> {
    private(set) var world: World
    private(set) var now: Duration = .zero

    /// Starts a device and, by default, connects a client that subscribes to everything.
    init(
        _ choices: Device.Choices = Device.standard, mtu: Int = Device.mtu, isConnected: Bool = true,
        steps: [Scenario.Step] = [], faults: [Scenario.Fault] = [],
        change: (inout Device.Choices) -> Void = { _ in }
    ) {
        var choices = choices
        change(&choices)
        let device = Scenario.Device(
            name: Device.name, model: Device.model(choices), address: Device.address, mtu: mtu, steps: steps,
            faults: faults)
        world = World(Scenario(devices: [device]))
        _ = world.start(at: now)
        if isConnected { _ = connect() }
    }

    static var notifying: [String] { Device.notifying }

    private var characteristics: [CharacteristicID] {
        world.peripherals[0].services.flatMap(\.characteristics).map(\.id)
    }

    /// A characteristic by its name. For an unknown name, the result is a characteristic that the device lacks.
    func id(_ name: String) -> CharacteristicID {
        characteristics.first { Device.name($0).lowercased() == name.lowercased() }
            ?? CharacteristicID(service: 0xFFF0, uuid: 0xFFF1)
    }

    mutating func connect(subscribing: [String] = Device.notifying) -> [String] {
        let mtu = world.peripherals[0].mtu
        var happened = handle(.connected(mtu: mtu))
        let there = Set(characteristics)
        for id in subscribing.map(id) where there.contains(id) { happened += handle(.subscribed(id, true)) }
        return happened
    }

    mutating func handle(_ stimulus: Stimulus, request: Int = 1) -> [String] {
        texts(world.handle(stimulus, of: Device.name, request: request, at: now))
    }

    mutating func write(_ name: String, _ hex: String, withResponse: Bool = true) -> [String] {
        handle(.write(id(name), Hex.bytes(hex) ?? [], withResponse: withResponse))
    }

    mutating func read(_ name: String) -> [String] { handle(.read(id(name))) }

    /// Executes a live line.
    mutating func line(_ text: String) -> [String] { texts(world.perform(line: text, at: now)) }

    /// Executes the part of a live line after the device's name.
    mutating func act(_ text: String) -> [String] { line("\(Device.name) \(text)") }

    /// Advances the time, deadline by deadline, and returns the events with their times.
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

    /// The outputs as text. Reports of writes and connections are omitted.
    private func texts(_ outputs: [WorldOutput]) -> [String] {
        outputs.compactMap { output in
            switch output {
            case .answer(_, .written): "written"
            case .answer(_, .value(let bytes)): "value \(Hex.string(bytes))"
            case .answer(_, .refused(let code)): "refused \(code)"
            case .notify(_, let id, let bytes): "\(Device.name(id)) \(Hex.string(bytes))"
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
        case .device(let report): Device.text(report)
        case .garbage(let wanted, let sent):
            "garbage \(wanted):"
                + sent.sorted { $0.key.uuid < $1.key.uuid }.map { " \($0.key) \($0.value)" }.joined()
        case .error(let message): "error \(message)"
        default: nil
        }
    }
}
