import Bluetooth
import DeviceKit

/// The behavior of one robot over any number of links.
///
/// Commands are written as *frames*: movement, rotation and buttons. While anything is commanded, a frame with the
/// newest state is written every 100 ms, but none while an earlier frame is in progress. A stop is written
/// immediately, ahead of all other writes.
struct RobotMachine: DeviceMachine {
    static let cadenceTimer: TimerName = "cadence"
    /// The timers that are stopped when the link ends.
    static let linkTimers = [
        cadenceTimer, RobotDrive.timer, RobotWeapon.timer, RobotPower.idleTimer, RobotPower.timer,
        RobotConfirmation.timer, RobotHandshake.timer, ClosingWords.timer,
    ]

    let settings: RobotSettings
    var now = Duration.zero
    var phase = RobotPhase.offline
    var stage = LinkStage.disconnected

    /// The states of the switches (weapon, field orientation, power) that the robot must have.
    var buttons = RobotButtons()
    /// The angle added to the direction of later drives while field orientation is on, in degrees.
    var offset = 0.0
    var drive = RobotDrive()
    var weapon = RobotWeapon()
    var power = RobotPower()

    /// The newest drive command that no frame contains yet.
    var waiting = LatestCommand()
    var slot = RobotWriteSlot()
    var confirmation = RobotConfirmation()

    var latch: RobotEmergencyLatch
    /// Why commands that move the robot are refused now; nil if they are accepted.
    var block: MotionGate.Block?
    /// The reason of the last stop; nil after a newer drive command.
    var stoppedBy: RobotStopReason?
    /// Whether the guardian could not confirm that the robot stands still.
    var isUnconfirmed = false
    var restProof = RobotRestProof()

    var statusReport = RobotStatusReport()
    private var numbering = WriteNumbering()

    init(_ settings: RobotSettings, latch: Latch) {
        self.settings = settings
        self.latch = RobotEmergencyLatch(latch)
    }

    /// How long the power stays on without a drive command.
    var powerTimeout: Duration { .seconds(settings.powerTimeout) }

    /// The writes of the guardian, a separate process (see `Will`). If the bridge is dead, they stop all motion and
    /// switch off the power.
    ///
    /// If the bridge is suspended beyond the deadline of a motion or of the weapon's lease, only motion and weapon
    /// stop. The power stays as it is, because the bridge expects this when it resumes. After the power timeout, the
    /// power is switched off too.
    var will: Will {
        var still = buttons
        still.weapon = false
        let off = RobotButtons(fieldOrientation: buttons.fieldOrientation)
        let deadline = [drive.lease.deadline, weapon.lease.deadline].compactMap { $0 }.min()
        return Will(
            writes: Self.rest(off), deadline: deadline ?? power.idleEnd,
            deadlineWrites: Self.rest(deadline == nil ? off : still), readBack: RobotGATT.all,
            stopsWithoutLink: true)
    }

    var hasPower: Bool { buttons.power }

    private static func rest(_ buttons: RobotButtons) -> [Write] {
        [
            Write(RobotGATT.movement, RobotVector.zero.bytes, .withoutResponse),
            Write(RobotGATT.rotation, RobotVector.zero.bytes, .withoutResponse),
            Write(RobotGATT.buttons, buttons.bytes, .withoutResponse),
        ]
    }

    mutating func handle(_ input: Input, at now: Duration, effects: inout Effects) {
        self.now = now
        switch input {
        case .connected(let profile): connected(profile, &effects)
        case .disconnected: disconnected(&effects)
        default:
            // Expired leases end first, so that neither a late timer nor a queued input prolongs a motion.
            endWhatIsOver(&effects)
            take(input, &effects)
        }
        statusReport.publish(status, remainder: drive.lease.remainder(at: now), at: now, &effects)
    }

    mutating func stageChanged(to stage: LinkStage, at now: Duration, effects: inout Effects) {
        self.now = now
        self.stage = stage
        statusReport.publish(status, remainder: drive.lease.remainder(at: now), at: now, &effects)
    }

    private mutating func take(_ input: Input, _ effects: inout Effects) {
        switch input {
        case .writeCompleted(let token, _, let result): written(token, result, &effects)
        case .readCompleted(let characteristic, let result): read(characteristic, result, &effects)
        case .command(let id, let feature, let arguments): carryOut(id, feature, arguments, &effects)
        case .timer(let name): timer(name, &effects)
        case .stop(let cause):
            stop(RobotStopReason(cause), cuttingPower: cause == .pathGone ? true : nil, &effects)
        case .close: close(&effects)
        case .motionBlocked(let block): self.block = block
        case .cleared:
            if power.onConnect == .awaitsClearance { power.onConnect = .cleared }
            powerOnConnect(&effects)
        case .recalled(_, let status): recalled(status, &effects)
        case .recalling(let isRecalling):
            latch.isRecalling = isRecalling
            powerOnConnect(&effects)
        case .latchKept(let isSet, let failure):
            released(latch.kept(isSet, failure: failure, at: now, &effects), &effects)
        case .guardian(let report): guardianReported(report, &effects)
        case .connected, .disconnected, .advertised, .notification, .subscribed, .relayed, .settings: break
        }
    }

    private mutating func timer(_ name: TimerName, _ effects: inout Effects) {
        switch name {
        case Self.cadenceTimer: cadence(&effects)
        case RobotPower.timer: switchPowerOn(&effects)
        case RobotConfirmation.timer:
            if confirmation.expired() { confirmationFailed("no answer within 1 s", &effects) }
        case RobotHandshake.timer: handshakeExpired(&effects)
        case RobotEmergencyLatch.timer: released(latch.expired(at: now, &effects), &effects)
        case RobotEmergencyLatch.retryTimer: latch.keepAgain(at: now, &effects)
        case ClosingWords.timer where phase == .closing: effects.append(.disconnect)
        default: break
        }
    }

    /// Writes without response, and assigns a token to the write.
    mutating func write(
        _ characteristic: CharacteristicID, _ bytes: [UInt8], priority: Write.Priority = .normal,
        _ effects: inout Effects
    ) -> WriteToken {
        let token = numbering.next()
        effects.write(characteristic, bytes, .withoutResponse, priority: priority, token: token)
        return token
    }

    /// Writes all three values in one batch.
    mutating func writeValues(
        _ movement: RobotVector, _ rotation: RobotVector, priority: Write.Priority = .normal,
        buttonsFirst: Bool = false, _ effects: inout Effects
    ) -> RobotBatch {
        var values = zip(RobotGATT.all, [movement.bytes, rotation.bytes, buttons.bytes]).map { $0 }
        if buttonsFirst { values.insert(values.removeLast(), at: 0) }
        let tokens = values.map { write($0, $1, priority: priority, &effects) }
        return RobotBatch(tokens, buttonsToken: tokens[buttonsFirst ? 0 : 2], buttons: buttons)
    }

    private mutating func written(_ token: WriteToken, _ result: WriteResult, _ effects: inout Effects) {
        if case .handshake(var handshake) = phase {
            let outcome = handshake.written(token, result, &effects)
            return advance(handshake, outcome, &effects)
        }
        if let reason = confirmation.written(token, result, &effects) { confirmationFailed(reason, &effects) }
        guard let done = slot.completed(token, result) else { return }
        for id in done.batch.commands { effects.answer(id, done.batch.answer) }
        if done.isStop { stopWritten(done.batch, &effects) } else { frameWritten(done, &effects) }
    }

    private mutating func read(
        _ characteristic: CharacteristicID, _ result: ReadResult,
        _ effects: inout Effects
    ) {
        if case .handshake(var handshake) = phase {
            let outcome = handshake.read(characteristic, result)
            advance(handshake, outcome, &effects)
        } else if characteristic == RobotGATT.buttons {
            buttonsRead(result, &effects)
        } else {
            restRead(characteristic, result, &effects)
        }
    }
}
