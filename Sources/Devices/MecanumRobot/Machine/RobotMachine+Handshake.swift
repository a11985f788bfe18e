import Bluetooth
import DeviceKit

// The start of a connection. The firmware has kept the last motion and would resume it with the power, so the robot
// is stopped first.
extension RobotMachine {
    mutating func connected(_ profile: LinkProfile, _ effects: inout Effects) {
        leave(&effects)
        for characteristic in RobotGATT.all {
            guard let properties = profile.characteristics[characteristic],
                properties.isSuperset(of: RobotGATT.properties)
            else {
                return fail(
                    .notThisFamily,
                    "characteristic \(characteristic) of a robot is missing, or cannot be read and "
                        + "written", &effects)
            }
        }
        power.allowedFrom = now + RobotHandshake.settlingTime
        effects.startTimer(RobotHandshake.timer, after: RobotHandshake.time)
        // In the first batch, the write that switches the power off follows the writes that stop the motion.
        let batch = writeValues(.zero, .zero, &effects)
        phase = .handshake(RobotHandshake(batch, isTakenOver: profile.isTakenOver))
    }

    /// Continues the handshake after a completed operation.
    mutating func advance(
        _ handshake: RobotHandshake, _ outcome: RobotHandshake.Outcome, _ effects: inout Effects
    ) {
        phase = .handshake(handshake)
        switch outcome {
        case .underWay: break
        case .atRest: becomeReady(isTakenOver: handshake.isTakenOver, &effects)
        case .disagrees(let reason):
            guard !handshake.isLastAttempt else {
                return fail(.handshake, "the robot cannot be stopped: \(reason)", &effects)
            }
            effects.remark(.info, "the robot does not stand still yet: \(reason)")
            phase = .handshake(handshake.again(writeValues(.zero, .zero, &effects)))
        }
    }

    mutating func handshakeExpired(_ effects: inout Effects) {
        guard case .handshake = phase else { return }
        fail(.handshake, "the robot was not ready within 10 s", &effects)
    }

    private mutating func becomeReady(isTakenOver: Bool, _ effects: inout Effects) {
        effects.cancelTimer(RobotHandshake.timer)
        phase = .online
        isUnconfirmed = false
        slot = RobotWriteSlot(start: now)
        startCadence(&effects)
        effects.append(
            .identify(DeviceInfo(manufacturer: "Cal Poly Battlebots", model: "mecanum battle robot")))
        effects.append(.ready)
        guard settings.powersOnConnect else { return }
        guard !isTakenOver else {
            return effects.remark(
                .info,
                "power_on_connect has no effect, because another bridge controlled the robot before: send power/set on"
            )
        }
        power.onConnect = .awaitsClearance
        effects.append(.awaitClearance)
    }

    /// Closes the link because the robot cannot be used over it.
    mutating func fail(
        _ code: DeviceFailure.Code, _ reason: String, advice: String? = nil, _ effects: inout Effects
    ) {
        leave(&effects)
        phase = .closing
        effects.append(.fail(DeviceFailure(code, reason, advice: advice)))
    }
}
