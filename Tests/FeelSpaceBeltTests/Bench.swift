import Bluetooth
import DeviceKit
import JSON
import Testing

@testable import FeelSpaceBelt

/// Holds a belt's state machine and plays session, link and clock to it; what it wants done is kept as lines of text.
struct Bench {
    private(set) var machine: BeltMachine
    private(set) var now = Duration.seconds(100)
    /// What was wanted since the last ``take()``, one line each.
    private(set) var lines: [String] = []
    /// All answers that each command got.
    private(set) var answers: [UInt64: [Answer]] = [:]
    private(set) var isReady = false
    /// Operations that are not completed yet, in order.
    private(set) var operations: [Effect] = []
    private var timers: [TimerName: Duration] = [:]
    private var lastCommand: UInt64 = 0
    private let family = BeltFamily()

    init(_ settings: Arguments = [:]) { machine = BeltMachine(settings: settings) }

    /// Hands an input to the machine and notes what it wants done.
    mutating func feed(_ input: Input) {
        for effect in machine.effects(of: input, at: now) { note(effect) }
    }

    /// Takes the lines so far.
    mutating func take() -> [String] {
        defer { lines = [] }
        return lines
    }

    /// Takes the writes so far, keep-alive answers left out.
    mutating func takeWrites() -> [String] {
        take().filter { $0.hasPrefix("> ") && !$0.hasPrefix("> FE02") }.map { String($0.dropFirst(2)) }
    }

    // MARK: The belt's side

    mutating func notify(_ characteristic: CharacteristicID, _ hex: String) {
        feed(.notification(characteristic, bytes(hex)))
    }

    mutating func notify(mode: Mode) {
        feed(.notification(GATT.parameterNotification, [1, 1, mode.rawValue]))
    }

    mutating func press(_ button: Button, _ from: Mode, _ to: Mode, type: UInt8 = 1) {
        feed(.notification(GATT.button, ButtonPress(button, pressType: type, from: from, to: to).bytes))
    }

    /// Completes the oldest operation.
    mutating func complete(_ error: OperationError? = nil, read value: [UInt8] = []) {
        guard !operations.isEmpty else { return }
        switch operations.removeFirst() {
        case .write(let write):
            feed(
                .writeCompleted(write.token, write.characteristic, error.map { .failure($0) } ?? .success(()))
            )
        case .read(let id): feed(.readCompleted(id, error.map { .failure($0) } ?? .success(value)))
        case .subscribe(let id): feed(.subscribed(id, error.map { .failure($0) } ?? .success(())))
        default: break
        }
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
        mode: Mode = .wait, firmware: UInt16 = 52, variant: UInt8 = 0, profile: LinkProfile = GATT.profile
    ) {
        isReady = false
        operations = []
        feed(.connected(profile))
        while !isReady, let next = operations.first {
            complete(read: Self.value(of: next, firmware, variant))
            answer(next, mode)
        }
        acknowledge()
        operations = []
    }

    private static func value(of operation: Effect, _ firmware: UInt16, _ variant: UInt8) -> [UInt8] {
        operation == .read(GATT.firmware)
            ? FirmwareInformation(version: firmware, variant: variant).bytes
            : BatteryStatus(.battery, level: 75.5, remaining: 25_920, current: -200).bytes
    }

    /// Notifies what the belt answers to the requests of the handshake.
    mutating func answer(_ operation: Effect, _ mode: Mode) {
        guard case .write(let write) = operation, case .read(let parameter) = ParameterRequest(write.value)
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
        feed(.notification(GATT.parameterNotification, ParameterNotification(parameter, value).bytes))
    }

    // MARK: The user's side

    /// Sends a command as it would arrive by MQTT; its errors become lines too.
    @discardableResult
    mutating func command(_ feature: String, _ payload: String) -> UInt64 {
        lastCommand += 1
        let id = lastCommand
        guard let command = family.feature(feature)?.command else {
            Issue.record("no command \(feature)")
            return id
        }
        do throws(CommandError) {
            let arguments = try command.parse(Array(payload.utf8)).arguments
            feed(.command(CommandID(id), feature: feature, arguments))
        } catch {
            note(.answer(CommandID(id), .failed(error)))
        }
        return id
    }

    /// Moves the clock and lets the timers run out in their order.
    mutating func advance(by time: Duration) {
        let end = now + time
        while let next = timers.filter({ $0.value <= end }).min(by: { $0.value < $1.value }) {
            timers[next.key] = nil
            now = max(now, next.value)
            feed(.timer(next.key))
        }
        now = end
    }

    // MARK: What the machine wants

    private mutating func note(_ effect: Effect) {
        switch effect {
        case .write(let write):
            operations.append(effect)
            let priority = write.priority == .normal ? "" : " \(write.priority)"
            lines.append("> \(write.characteristic) \(Self.hex(write.value))\(priority)")
        case .read(let id):
            operations.append(effect)
            lines.append("read \(id)")
        case .subscribe(let id):
            operations.append(effect)
            lines.append("subscribe \(id)")
        case .unsubscribe(let id): lines.append("unsubscribe \(id)")
        case .publish(let feature, let value): lines.append("\(feature) = \(value)")
        case .withdraw(let feature): lines.append("\(feature) withdrawn")
        case .identify(let info): lines.append("firmware \(info.firmware ?? "?"), \(info.hardware ?? "?")")
        case .answer(let id, let answer):
            answers[id.number, default: []].append(answer)
            switch answer {
            case .ok(let members):
                lines.append("#\(id.number) ok" + (members.isEmpty ? "" : " \(JSON.Value.object(members))"))
            case .failed(let error): lines.append("#\(id.number) \(error.code.rawValue)")
            }
        case .startTimer(let name, let delay): timers[name] = now + delay
        case .cancelTimer(let name): timers[name] = nil
        case .ready:
            isReady = true
            lines.append("ready")
        case .fail(let failure): lines.append("fail \(failure.code.rawValue)")
        case .disconnect: lines.append("disconnect")
        case .remember, .latch, .count, .remark, .awaitClearance: break
        }
    }

    private static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { Hex.string([$0]).uppercased() }.joined(separator: " ")
    }
}
