import Bluetooth
import VirtualDevices

/// A world with one TAP, a client that is connected to it, and everything that happens written as short text.
struct TapBench {
    private(set) var world: World
    private(set) var now: Duration = .zero

    /// What a client subscribes to.
    static let notifying = ["c3ff0005", "c3ff0006", "c3ff000a", "6e400003", "c3ff000e"]
    static let command = "6e400002"
    static let haptics = "c3ff0009"
    static let frame = "c3ff000f"

    /// Switches a TAP on and, unless told otherwise, connects a client that subscribes to the events.
    init(
        _ choices: VirtualTap.Choices = .init(), mtu: Int = 247, isConnected: Bool = true,
        steps: [Scenario.Step] = []
    ) {
        let device = Scenario.Device(
            name: "tap", model: .tap(choices), address: "D7:A9:E0:8C:17:6E", mtu: mtu, steps: steps)
        world = World(Scenario(devices: [device]))
        _ = world.start(at: now)
        if isConnected { _ = connect() }
    }

    /// Makes a TAP of a product, with a client in controller mode.
    init(controlled model: VirtualTap.Choices.Model) {
        self.init(VirtualTap.Choices(model))
        _ = write(Self.command, "030C0001")
    }

    /// Makes a TapXR that speaks the framed protocol only, with a client that switched something on.
    static func framed(
        _ features: UInt8..., choose: (inout VirtualTap.Choices) -> Void = { _ in }
    ) -> TapBench {
        var choices = VirtualTap.Choices(.xr)
        choices.framed = .only
        choose(&choices)
        var bench = TapBench(choices)
        for feature in features { _ = bench.write(frame, "00000000\(Hex.string([feature]))01") }
        return bench
    }

    mutating func connect() -> [String] {
        let mtu = world.peripherals[0].mtu
        var happened = texts(world.handle(.connected(mtu: mtu), of: "tap", at: now))
        let all = world.peripherals[0].services.flatMap(\.characteristics).map { Self.short($0.id) }
        for name in Self.notifying where all.contains(name) {
            happened += texts(world.handle(.subscribed(id(name), true), of: "tap", at: now))
        }
        return happened
    }

    mutating func handle(_ stimulus: Stimulus) -> [String] {
        texts(world.handle(stimulus, of: "tap", request: 1, at: now))
    }

    mutating func write(_ name: String, _ hex: String, withResponse: Bool = true) -> [String] {
        handle(.write(id(name), Hex.bytes(hex) ?? [], withResponse: withResponse))
    }

    mutating func read(_ name: String) -> [String] { handle(.read(id(name))) }

    /// A live line behind the device's name.
    mutating func act(_ text: String) -> [String] { texts(world.perform(line: "tap " + text, at: now)) }

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

    /// The raw frames of a time, as bytes.
    mutating func frames(_ duration: Duration) -> [[UInt8]] {
        pass(duration).compactMap { happened in
            happened.what.hasPrefix("6e400003 ") ? Hex.bytes(happened.what.dropFirst(9)) : nil
        }
    }

    /// A characteristic by the first eight digits of its UUID, or its short form.
    func id(_ name: String) -> CharacteristicID {
        let all = world.peripherals[0].services.flatMap(\.characteristics).map(\.id)
        return all.first { Self.short($0) == name.lowercased() }
            ?? CharacteristicID(service: 0xFFF0, uuid: 0xFFF1)
    }

    static func short(_ id: CharacteristicID) -> String {
        id.uuid.short.map { Hex.string(UInt64($0), digits: 4) } ?? String(id.uuid.description.prefix(8))
    }

    /// Writes outputs as words; write and link reports are left out.
    private func texts(_ outputs: [WorldOutput]) -> [String] {
        outputs.compactMap { output in
            switch output {
            case .answer(_, .written): "written"
            case .answer(_, .value(let bytes)): "value \(Hex.string(bytes))"
            case .answer(_, .refused(let code)): "refused \(code)"
            case .notify(_, let id, let bytes): "\(Self.short(id)) \(Hex.string(bytes))"
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
        case .device(.vibrate(let isOn)): "vibrate \(isOn)"
        case .device(.other("key", let details)): "key \(details["key"] ?? "")"
        case .device(.other("pointer", let details)):
            "pointer \(details["x"] ?? "") \(details["y"] ?? "")"
        case .device(.other("mode", let details)):
            "mode \(details["mode"] ?? "") by \(details["because"] ?? "")"
        case .device(.other("hurried", _)): "hurried"
        case .device(.other("rejected", _)): "rejected"
        case .device(.other("unheard", let details)): "unheard in \(details["mode"] ?? "")"
        case .error(let message): "error \(message)"
        default: nil
        }
    }
}
