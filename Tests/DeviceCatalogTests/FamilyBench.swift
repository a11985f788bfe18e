import Bluetooth
import BridgeTesting
import DeviceKit
import JSON

/// A device of a family, simulated by a test.
protocol PlayedDevice {
    associatedtype Machine: DeviceMachine
    static var family: any DeviceFamily { get }
    init()
    /// Returns the name of a characteristic in docs/protocols.
    static func name(_ id: CharacteristicID) -> String
    /// Returns a special line for an effect, or nil within it to omit the effect; nil for the usual line.
    static func line(_ effect: Effect) -> String??
}

/// The state machine of a family in the harness. The test simulates the device and reads the requests of the machine
/// as lines of text.
struct FamilyBench<Device: PlayedDevice> {
    private(set) var session: MachineHarness
    /// The state of the simulated device.
    var device = Device()
    /// The number of effects that were already returned as lines.
    private var taken = 0

    init(_ settings: Arguments = [:]) { session = MachineHarness(Device.family, settings: settings) }

    var machine: Device.Machine {
        guard let machine = session.machine as? Device.Machine else {
            preconditionFailure("the family makes another machine")
        }
        return machine
    }
    var now: Duration { session.now }
    /// The answers to each command.
    var answers: [UInt64: [Answer]] { session.answers }
    /// The refusal of the last command.
    var refusal: CommandError? {
        guard case .failed(let error) = answers[session.lastCommand]?.last else { return nil }
        return error
    }
    var isReady: Bool { session.isReady }
    var info: DeviceInfo { session.info }
    /// The operations in progress, in the order of their start.
    var operations: [LinkOperation] { session.underWay.map(\.operation) }
    /// The effects that the machine has requested so far.
    var effects: [Effect] { session.wishes.map(\.effect) }
    var remarks: [String] { effects.compactMap { if case .remark(_, let text) = $0 { text } else { nil } } }

    mutating func feed(_ input: Input) { session.feed(input) }
    mutating func tell(_ stage: LinkStage) { session.tell(stage) }

    mutating func notify(_ characteristic: CharacteristicID, _ hex: String) {
        feed(.notification(characteristic, bytes(hex)))
    }

    /// Completes the oldest operation in progress.
    mutating func complete(_ error: OperationError? = nil, read value: [UInt8] = []) {
        guard let first = session.underWay.first else { return }
        session.finish(first.number, error.map { .failure($0) } ?? .success(value))
    }

    /// Completes all operations, including those that follow from them.
    mutating func acknowledge() {
        var rounds = 0
        while !operations.isEmpty, rounds < 1000 {
            complete()
            rounds += 1
        }
    }

    /// Sends a command as if it arrived by MQTT. Errors become lines too.
    @discardableResult
    mutating func command(_ feature: String, _ payload: String) -> UInt64 {
        session.command(feature, Array(payload.utf8))
    }

    /// Advances the clock, and fires the timers in order.
    ///
    /// - Parameter acknowledges: Whether the device acknowledges everything immediately.
    mutating func advance(by time: Duration, acknowledges: Bool) {
        let end = now + time
        while let next = session.nextTimer, next <= end {
            session.advance(to: next)
            if acknowledges { acknowledge() }
        }
        session.sleep(until: end)
    }

    /// Returns the requests since the last call, one line each.
    mutating func take() -> [String] {
        defer { taken = session.wishes.count }
        return session.wishes.dropFirst(taken).compactMap { wish in
            Device.line(wish.effect) ?? Self.line(wish.effect)
        }
    }

    private static func line(_ effect: Effect) -> String? {
        switch effect {
        case .write(let write):
            let kind = write.kind == .withResponse ? ">" : "~>"
            let priority = write.priority == .normal ? "" : " \(write.priority)"
            return "\(kind) \(Device.name(write.characteristic)) \(hex(write.value))\(priority)"
        case .read(let id): return "read \(Device.name(id))"
        case .subscribe(let id): return "subscribe \(Device.name(id))"
        case .unsubscribe(let id): return "unsubscribe \(Device.name(id))"
        case .publish(let feature, let value): return "\(feature) = \(value)"
        case .withdraw(let feature): return "\(feature) withdrawn"
        case .answer(let id, .ok(let members)):
            return "#\(id.number) ok" + (members.isEmpty ? "" : " \(JSON.Value.object(members))")
        case .answer(let id, .failed(let error)): return "#\(id.number) \(error.code.rawValue)"
        case .ready: return "ready"
        case .fail(let failure): return "fail \(failure.code.rawValue)"
        case .disconnect: return "disconnect"
        case .identify, .startTimer, .cancelTimer, .remark, .remember, .latch, .count, .awaitClearance, .lack,
            .command, .relay:
            return nil
        }
    }
}

/// Formats bytes as in docs/protocols: `0A FF`.
func hex(_ bytes: [UInt8]) -> String {
    bytes.map { Hex.string([$0]).uppercased() }.joined(separator: " ")
}
