import Bluetooth
import DeviceKit
import JSON

/// The behavior of a sample device. Its notifications have two bytes: a code and a value.
struct SampleMachine: DeviceMachine {
    private var greeting: String
    private var presses: Int
    private var isOnline = false
    private var isClosing = false
    private var lastToken: UInt64 = 0
    private var writes: [WriteToken: CommandID] = [:]
    private var wanted: (command: CommandID, mode: UInt8)?
    private var muted: [CommandID] = []
    private var kept: [UInt8]?
    private var aiming: WriteToken?
    private var nextAim: (command: CommandID, value: [UInt8])?

    /// Whether the device obeys an emergency stop for certain.
    let isStopCertain: Bool

    init(_ context: DeviceContext, isStopCertain: Bool) {
        self.isStopCertain = isStopCertain
        greeting = context.settings.text("greeting") ?? ""
        presses = context.memory["presses"]?.integer ?? 0
    }

    var will: Will { Will(writes: [Write(SampleFamily.motor, [0], .withoutResponse)]) }

    mutating func handle(_ input: Input, at now: Duration, effects: inout Effects) {
        switch input {
        case .connected:
            isClosing = false
            effects.startTimer("handshake", after: .seconds(5))
            effects.subscribe(SampleFamily.status)
        case .disconnected: leave(&effects)
        case .notification(_, let bytes): notified(bytes, &effects)
        case .readCompleted(_, let result): handshake(result, &effects)
        case .subscribed(_, .success): effects.read(SampleFamily.status)
        case .subscribed(_, .failure(let error)): handshake(.failure(error), &effects)
        case .writeCompleted(let token, _, let result): written(token, result, &effects)
        case .command(let id, let feature, let arguments): carryOut(id, feature, arguments, &effects)
        case .timer("handshake"): effects.append(.fail(DeviceFailure(.handshake, "not ready in 5 s")))
        case .timer: confirm(.failed(.timeout, "the device did not confirm the mode"), &effects)
        case .stop(let cause): halt(cause.rawValue, &effects)
        case .guardian(let report): effects.count("guardian_\(report.rawValue)")
        case .close:
            isClosing = true
            guard isOnline else { return effects.append(.disconnect) }
            write(SampleFamily.control, [0xFF], &effects)
            if greeting == "hasty" { effects.append(.disconnect) }
        case .settings(let settings, let atOnce):
            greeting = settings.text("greeting") ?? ""
            if !atOnce.isEmpty, isOnline { write(SampleFamily.control, Array(greeting.utf8), &effects) }
        case .advertised, .motionBlocked, .cleared, .recalled, .recalling, .latchKept, .relayed: break
        }
    }

    private mutating func handshake(_ result: Result<[UInt8], OperationError>, _ effects: inout Effects) {
        guard !isOnline else { return }
        effects.cancelTimer("handshake")
        switch result {
        case .failure(let error) where error.code == .notPermitted:
            effects.append(.fail(DeviceFailure(.pairingRequired, "it wants a bond", advice: "press it")))
        case .failure(let error): effects.append(.fail(DeviceFailure(.handshake, error.message)))
        case .success(let bytes):
            isOnline = true
            effects.append(.identify(DeviceInfo(manufacturer: "Sample", firmware: "1")))
            if let level = bytes.first { effects.publish("level", .integer(Int(level))) }
            effects.append(.ready)
            if !greeting.isEmpty { write(SampleFamily.control, Array(greeting.utf8), &effects) }
            if let value = kept { aiming = write(SampleFamily.motor, value, &effects, .withoutResponse) }
            kept = nil
        }
    }

    private mutating func notified(_ bytes: [UInt8], _ effects: inout Effects) {
        guard bytes.count == 2 else { return effects.remark(.debug, "not understood") }
        let value = bytes[1]
        switch bytes[0] {
        case 1: write(SampleFamily.control, [1, value], &effects, priority: .ahead)
        case 2:
            let name = SampleFamily.modes[Int(value) % 2]
            effects.publish("mode", ["mode": .string(name), "stopped_by": nil])
            if wanted?.mode == value { confirm(.ok(["mode": .string(name)]), &effects) }
        case 3:
            presses += 1
            effects.publish("pressed", ["button": .integer(Int(value))])
            effects.append(.remember(key: "presses", .integer(presses)))
        case 4: effects.publish("motion", ["x": .integer(Int(value))])
        case 5: effects.publish("level", .integer(Int(value)))
        case 6: effects.append(.fail(DeviceFailure(.handshake, "it said so")))
        case 7: effects.append(.fail(DeviceFailure(.poweredOff, "it switched itself off")))
        case 8: effects.append(.disconnect)
        case 10:
            effects.append(
                .lack(
                    value == 0
                        ? Lacking() : Lacking(reports: ["level", "motion"], commands: ["level", "aim"])))
        case 9: effects.append(.fail(DeviceFailure(.notThisFamily, "it is something else")))
        default: effects.remark(.debug, "not understood")
        }
    }

    private mutating func carryOut(
        _ id: CommandID, _ feature: String, _ arguments: Arguments, _ effects: inout Effects
    ) {
        switch feature {
        case "level":
            writes[write(SampleFamily.control, [5, UInt8(arguments.integer("level") ?? 0)], &effects)] = id
        case "mode":
            guard wanted == nil else { return effects.answer(id, .failed(.busy, "one mode at a time")) }
            wanted = (id, arguments.text("mode") == "fast" ? 1 : 0)
            effects.startTimer("confirm", after: .seconds(2))
            write(SampleFamily.control, [2, wanted?.mode ?? 0], &effects)
        case "aim": aim(id, [6, UInt8((arguments.number("direction") ?? 0) / 2)], &effects)
        case "stop", "halt":
            writes[halt("stop", &effects)] = id
        case "reset": writes[write(SampleFamily.control, [7], &effects)] = id
        default: muted.append(id)
        }
    }

    private mutating func aim(_ id: CommandID, _ value: [UInt8], _ effects: inout Effects) {
        guard isOnline, !isClosing else {
            kept = value
            return effects.answer(id, .kept)
        }
        guard aiming == nil else {
            if let nextAim { effects.answer(nextAim.command, .superseded) }
            nextAim = (id, value)
            return
        }
        let token = write(SampleFamily.motor, value, &effects, .withoutResponse)
        aiming = token
        writes[token] = id
    }

    private mutating func written(
        _ token: WriteToken, _ result: Result<Void, OperationError>, _ effects: inout Effects
    ) {
        if let id = writes.removeValue(forKey: token) {
            switch result {
            case .success: effects.answer(id, .ok)
            case .failure(let error): effects.answer(id, .failed(.deviceError, error.message))
            }
        }
        if token == aiming {
            aiming = nil
            if let (id, value) = nextAim {
                nextAim = nil
                aim(id, value, &effects)
            }
        }
        if isClosing, token.number == lastToken { effects.append(.disconnect) }
    }

    private mutating func confirm(_ answer: Answer, _ effects: inout Effects) {
        guard let wanted else { return }
        self.wanted = nil
        effects.cancelTimer("confirm")
        effects.answer(wanted.command, answer)
    }

    @discardableResult
    private mutating func halt(_ cause: String, _ effects: inout Effects) -> WriteToken {
        kept = nil
        guard isOnline else { return 0 }
        if let nextAim { effects.answer(nextAim.command, .superseded) }
        nextAim = nil
        effects.publish("mode", ["mode": "slow", "stopped_by": .string(cause)])
        effects.count("stopped_by_\(cause)")
        return write(SampleFamily.motor, [0], &effects, .withoutResponse, priority: .stop)
    }

    private mutating func leave(_ effects: inout Effects) {
        isOnline = false
        for name: TimerName in ["handshake", "confirm"] { effects.cancelTimer(name) }
        let lost = Answer.failed(.deviceOffline, "the link was lost")
        confirm(lost, &effects)
        for (_, id) in writes.sorted(by: { $0.key.number < $1.key.number }) { effects.answer(id, lost) }
        for id in muted { effects.answer(id, lost) }
        if let nextAim {
            kept = nextAim.value
            effects.answer(nextAim.command, .kept)
        }
        (writes, muted, aiming, nextAim) = ([:], [], nil, nil)
        effects.append(.withdraw(feature: "level"))
    }

    @discardableResult
    private mutating func write(
        _ characteristic: CharacteristicID, _ value: [UInt8], _ effects: inout Effects,
        _ kind: Write.Kind = .withResponse, priority: Write.Priority = .normal
    ) -> WriteToken {
        lastToken += 1
        let token = WriteToken(lastToken)
        effects.write(characteristic, value, kind, priority: priority, token: token)
        return token
    }
}
