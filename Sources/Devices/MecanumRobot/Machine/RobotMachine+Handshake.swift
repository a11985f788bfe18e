import Bluetooth
import DeviceKit

// The beginning of a connection: the firmware has kept the last motion and would go on with it as soon as it had
// power, so it is brought to rest first.
extension RobotMachine {
    mutating func connected(_ profile: LinkProfile, _ effects: inout Effects) {
        leave(&effects)
        for characteristic in RobotGATT.all {
            guard let properties = profile.characteristics[characteristic],
                properties.isSuperset(of: RobotGATT.properties)
            else {
                return fail(
                    .notThisFamily,
                    "characteristic \(characteristic) of a robot is not there, or cannot be read and "
                        + "written", &effects)
            }
        }
        phase = .handshake
        latch.isTakenOver = profile.isTakenOver
        powerAllowed = now + RobotHandshake.settlingTime
        effects.startTimer(Self.handshakeTimer, after: RobotHandshake.time)
        writeRest(&effects)
    }

    /// Writes no motion, and only then the first buttons value, with the power off.
    private mutating func writeRest(_ effects: inout Effects) {
        let tokens = [
            write(RobotGATT.movement, RobotVector.zero.bytes, &effects),
            write(RobotGATT.rotation, RobotVector.zero.bytes, &effects),
            write(RobotGATT.buttons, buttons.bytes, &effects),
        ]
        handshake.batch = RobotBatch(tokens, buttonsToken: tokens[2], buttons: buttons)
    }

    mutating func handshakeWritten(_ effects: inout Effects) {
        let error = handshake.batch?.error
        handshake.batch = nil
        guard phase == .handshake else { return }
        if let error { return attemptFailed("a write failed: \(error)", &effects) }
        handshake.expected = [
            RobotGATT.movement: RobotVector.zero.bytes, RobotGATT.rotation: RobotVector.zero.bytes,
            RobotGATT.buttons: buttons.bytes,
        ]
        handshake.disagreement = nil
        for characteristic in RobotGATT.all { effects.read(characteristic) }
    }

    mutating func handshakeRead(
        _ characteristic: CharacteristicID, _ result: Result<[UInt8], OperationError>,
        _ effects: inout Effects
    ) {
        guard let expected = handshake.expected.removeValue(forKey: characteristic) else { return }
        if let complaint = Self.complaint(result, expected) { handshake.disagreement = complaint }
        guard handshake.expected.isEmpty else { return }
        if let disagreement = handshake.disagreement { return attemptFailed(disagreement, &effects) }
        becomeReady(&effects)
    }

    private mutating func attemptFailed(_ reason: String, _ effects: inout Effects) {
        handshake.failures += 1
        guard handshake.failures < RobotHandshake.attempts else {
            return fail(.handshake, "the robot cannot be brought to rest: \(reason)", &effects)
        }
        effects.remark(.info, "the robot is not at rest yet: \(reason)")
        writeRest(&effects)
    }

    mutating func handshakeIsLate(_ effects: inout Effects) {
        guard phase == .handshake else { return }
        fail(.handshake, "the robot was not ready within 10 s", &effects)
    }

    private mutating func becomeReady(_ effects: inout Effects) {
        effects.cancelTimer(Self.handshakeTimer)
        handshake = RobotHandshake()
        phase = .online
        isUnconfirmed = false
        frameStart = now
        settledChanges = changes
        effects.startTimer(Self.cadenceTimer, after: cadencePeriod)
        effects.append(
            .identify(DeviceInfo(manufacturer: "Cal Poly Battlebots", model: "mecanum battle robot")))
        effects.append(.ready)
        (latch.awaitsPower, isCleared) = (powersOnConnect && !latch.isTakenOver, false)
        if latch.awaitsPower {
            effects.append(.awaitClearance)
        } else if powersOnConnect {
            effects.remark(
                .info, "power_on_connect does not act, since another bridge had the robot: power/set on")
        }
    }

    /// What a read-back says against what was written; nil where they agree.
    static func complaint(_ result: Result<[UInt8], OperationError>, _ expected: [UInt8]) -> String? {
        switch result {
        case .failure(let error): "a read failed: \(error)"
        case .success(expected): nil
        case .success(let bytes):
            "it was told \(String(decoding: expected, as: UTF8.self)) and says "
                + String(decoding: bytes.prefix(20), as: UTF8.self)
        }
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
