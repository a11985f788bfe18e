import Bluetooth
import BridgeTesting
import DeviceKit
import JSON

@testable import DeviceCatalog

/// A belt's state machine in the harness; a test is the belt, and what the machine wants done is lines of text.
struct BeltBench {
    private var session: MachineHarness
    /// How many of the machine's wishes were taken as lines.
    private var taken = 0

    init(_ settings: Arguments = [:]) { session = MachineHarness(BeltFamily(), settings: settings) }

    var machine: BeltMachine {
        guard let machine = session.machine as? BeltMachine else {
            preconditionFailure("the family makes another machine")
        }
        return machine
    }
    var now: Duration { session.now }
    /// All answers that each command got.
    var answers: [UInt64: [Answer]] { session.answers }
    var isReady: Bool { session.isReady }
    /// The operations under way, in the order of their start.
    var operations: [LinkOperation] { session.underWay.map(\.operation) }

    mutating func feed(_ input: Input) { session.feed(input) }
    mutating func tell(_ stage: LinkStage) { session.tell(stage) }

    /// Takes what was wanted since the last call, one line each; what `vibration` says is left out.
    mutating func take() -> [String] {
        defer { taken = session.wishes.count }
        return session.wishes.dropFirst(taken).compactMap { Self.line($0.effect) }
    }

    /// What `vibration` said, in order, and when.
    var vibrations: [(time: Duration, value: JSON.Value)] {
        session.wishes.compactMap { wish in
            guard case .publish(BeltFamily.vibration.name, let value) = wish.effect else { return nil }
            return (wish.time, value)
        }
    }

    /// Takes the writes so far, keep-alive answers left out.
    mutating func takeWrites() -> [String] {
        take().filter { $0.hasPrefix("> ") && !$0.hasPrefix("> FE02") }.map { String($0.dropFirst(2)) }
    }

    // MARK: The belt's side

    mutating func notify(_ characteristic: CharacteristicID, _ hex: String) {
        feed(.notification(characteristic, bytes(hex)))
    }

    mutating func notify(mode: BeltMode) {
        feed(.notification(BeltGATT.parameterNotification, [1, 1, mode.rawValue]))
    }

    mutating func press(_ button: BeltButton, _ from: BeltMode, _ to: BeltMode, type: UInt8 = 1) {
        feed(
            .notification(BeltGATT.button, BeltButtonPress(button, pressType: type, from: from, to: to).bytes)
        )
    }

    /// Completes the operation that is under way for the longest time.
    mutating func complete(_ error: OperationError? = nil, read value: [UInt8] = []) {
        guard let first = session.underWay.first else { return }
        session.finish(first.number, error.map { .failure($0) } ?? .success(value))
    }

    /// Completes all operations that wait, and those that they lead to.
    mutating func acknowledge() {
        var rounds = 0
        while !operations.isEmpty, rounds < 1000 {
            complete()
            rounds += 1
        }
    }

    /// Connects a belt that answers everything, until it is ready.
    mutating func connect(
        mode: BeltMode = .wait, firmware: UInt16 = 52, variant: UInt8 = 0,
        profile: LinkProfile = BeltGATT.profile
    ) {
        feed(.connected(profile))
        while !isReady, let next = operations.first {
            complete(read: Self.value(of: next, firmware, variant))
            answer(next, mode)
        }
        acknowledge()
    }

    private static func value(of operation: LinkOperation, _ firmware: UInt16, _ variant: UInt8) -> [UInt8] {
        operation == .read(BeltGATT.firmware)
            ? BeltFirmwareInformation(version: firmware, variant: variant).bytes
            : BeltBatteryStatus(.battery, level: 75.5, remaining: 25_920, current: -200).bytes
    }

    /// Notifies what the belt answers to the requests of the handshake.
    mutating func answer(_ operation: LinkOperation, _ mode: BeltMode) {
        guard case .write(let write) = operation,
            case .read(let parameter) = BeltParameterRequest(write.value)
        else { return }
        let value: [UInt8] =
            switch parameter {
            case .mode: [mode.rawValue]
            case .intensity: [50]
            case .headingOffset: [45, 0]
            case .accuracySignal: [3]
            case .frontRange: bytes("E1 00 A0 00 2C 01 01")
            default: [1]
            }
        feed(.notification(BeltGATT.parameterNotification, BeltParameterNotification(parameter, value).bytes))
    }

    // MARK: The user's side

    /// Sends a command as it would arrive by MQTT; its errors become lines too.
    @discardableResult
    mutating func command(_ feature: String, _ payload: String) -> UInt64 {
        session.command(feature, Array(payload.utf8))
    }

    /// Moves the clock and lets the timers run out in their order.
    mutating func advance(by time: Duration) {
        let end = now + time
        while let next = session.nextTimer, next <= end { session.advance(to: next) }
        session.sleep(until: end)
    }

    // MARK: What the machine wants

    private static func line(_ effect: Effect) -> String? {
        switch effect {
        case .write(let write):
            let priority = write.priority == .normal ? "" : " \(write.priority)"
            return "> \(write.characteristic) \(hex(write.value))\(priority)"
        case .read(let id): return "read \(id)"
        case .subscribe(let id): return "subscribe \(id)"
        case .unsubscribe(let id): return "unsubscribe \(id)"
        case .publish(BeltFamily.vibration.name, _): return nil
        case .publish(let feature, let value): return "\(feature) = \(value)"
        case .withdraw(let feature): return "\(feature) withdrawn"
        case .identify(let info): return "firmware \(info.firmware ?? "?"), \(info.hardware ?? "?")"
        case .answer(let id, .ok(let members)):
            return "#\(id.number) ok" + (members.isEmpty ? "" : " \(JSON.Value.object(members))")
        case .answer(let id, .failed(let error)): return "#\(id.number) \(error.code.rawValue)"
        case .ready: return "ready"
        case .fail(let failure): return "fail \(failure.code.rawValue)"
        case .disconnect: return "disconnect"
        case .startTimer, .cancelTimer, .remember, .latch, .count, .remark, .awaitClearance, .lack:
            return nil
        }
    }

    private static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { Hex.string([$0]).uppercased() }.joined(separator: " ")
    }
}
