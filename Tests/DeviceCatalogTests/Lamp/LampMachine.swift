import Bluetooth
import DeviceKit

/// The behavior of one lamp over any number of links.
struct LampMachine: DeviceMachine {
    private static let closing = ClosingWords(within: .seconds(1))
    private static let unbonded = DeviceFailure(.pairingRequired, "the lamp requires a bond")

    private var phase = LinkPhase.offline
    private var handshake = Handshake<Never>(wording: .init(device: "lamp", unbonded: unbonded))
    /// The commands whose writes are under way; nil for the write before the link is closed.
    private var writes = WriteLedger<CommandID?>()

    /// If the bridge dies, the guardian switches the lamp off.
    var will: Will { phase == .online ? Will(writes: [Write(LampGATT.level, [0])]) : .none }

    mutating func handle(_ input: Input, at now: Duration, effects: inout Effects) {
        switch input {
        case .connected:
            leave(&effects)
            phase = .handshake
            handshake = Handshake(
                [
                    .init(.subscribe(LampGATT.level)), .init(.subscribe(LampGATT.button)),
                    .init(.read(LampGATT.level)),
                ], within: .seconds(10), wording: .init(device: "lamp", unbonded: Self.unbonded))
            go(on: handshake.begin(&effects), &effects)
        case .disconnected:
            leave(&effects)
            phase = .offline
        case .subscribed(let characteristic, let result):
            go(on: handshake.subscribed(characteristic, result, &effects), &effects)
        case .readCompleted(let characteristic, let result):
            if case .success(let bytes) = result { learn(characteristic, bytes, &effects) }
            go(on: handshake.read(characteristic, result, &effects), &effects)
        case .notification(let characteristic, let bytes): learn(characteristic, bytes, &effects)
        case .command(let id, let feature, let arguments): take(id, feature, arguments, &effects)
        case .writeCompleted(let token, _, let result):
            guard let command = writes.complete(token) else { return }
            if let command { effects.answer(command, Answer(result)) } else { Self.closing.finish(&effects) }
        case .timer(Handshake<Never>.timer): go(on: handshake.isLate(), &effects)
        case .timer(ClosingWords.timer): Self.closing.isLate(in: phase, &effects)
        case .close: close(&effects)
        case .advertised, .stop, .timer, .motionBlocked, .cleared, .recalled, .recalling, .latchKept,
            .guardian, .relayed, .settings:
            break
        }
    }

    private mutating func go(on progress: Handshake<Never>.Progress, _ effects: inout Effects) {
        switch progress {
        case .unrelated, .waiting: break
        case .done:
            phase = .online
            effects.append(.ready)
        case .failed(let failure):
            leave(&effects)
            phase = .closing
            effects.append(.fail(failure))
        }
    }

    /// Publishes a reported value, and ignores invalid bytes.
    private func learn(
        _ characteristic: CharacteristicID, _ bytes: [UInt8], _ effects: inout Effects
    ) {
        guard phase == .handshake || phase == .online, let byte = bytes.first else { return }
        switch characteristic {
        case LampGATT.level: if byte <= 100 { LampFamily.level.publish(byte, &effects) }
        case LampGATT.button: LampFamily.pressed.publish(.init(isLong: byte == 1), &effects)
        default: break
        }
    }

    private mutating func take(
        _ id: CommandID, _ feature: String, _ arguments: Arguments, _ effects: inout Effects
    ) {
        do throws(CommandError) {
            guard phase == .online else { throw .notConnected("lamp") }
            switch feature {
            case LampFamily.level:
                let level = try LampFamily.level.parse(arguments).value
                writes.write(LampGATT.level, [level], for: id, &effects)
            default: throw CommandError(.unknownFeature, "a lamp takes no \(feature)")
            }
        } catch {
            effects.answer(id, .failed(error))
        }
    }

    /// Switches the lamp off before the link is closed cleanly.
    private mutating func close(_ effects: inout Effects) {
        let isOnline = phase == .online
        leave(&effects)
        phase = .closing
        if isOnline { writes.write(LampGATT.level, [0], for: nil, &effects) }
        Self.closing.begin(hasWords: isOnline, &effects)
    }

    /// Cancels what belongs to this link, and answers the commands that are under way.
    private mutating func leave(_ effects: inout Effects) {
        for timer in [Handshake<Never>.timer, ClosingWords.timer] { effects.cancelTimer(timer) }
        handshake.abandon()
        for command in writes.forget() {
            if let command { effects.answer(command, .linkLost("lamp")) }
        }
    }
}
