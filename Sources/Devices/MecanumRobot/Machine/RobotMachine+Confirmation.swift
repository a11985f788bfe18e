import Bluetooth
import DeviceKit

// The robot acknowledges no write. Only a read of the buttons characteristic confirms the switches.
extension RobotMachine {
    /// Writes and confirms the switches. The commands are answered after the confirmation.
    mutating func writeButtons(
        for commands: [CommandID], priority: Write.Priority = .normal, _ effects: inout Effects
    ) {
        slot.changed()
        confirmation.start(write(RobotGATT.buttons, buttons.bytes, priority: priority, &effects), &effects)
        confirmation.add(commands)
        effects.startTimer(Self.cadenceTimer, after: timeToNextFrame())
    }

    mutating func buttonsRead(_ result: ReadResult, _ effects: inout Effects) {
        guard confirmation.read() else { return }
        if let complaint = RobotGATT.complaint(result, expected: buttons.bytes) {
            return confirmationFailed(complaint, &effects)
        }
        latch.answer(confirmation.end(&effects), .ok, &effects)
        switchPowerOn(&effects)
    }

    /// Writes the switches again. After the last attempt, disconnects the robot, which is the only remaining way to
    /// switch the power off.
    mutating func confirmationFailed(_ reason: String, _ effects: inout Effects) {
        guard confirmation.failed() else { return closeLink(reason, &effects) }
        effects.remark(
            .warning, "the robot does not confirm its switches; the bridge writes them again: \(reason)")
        let priority: Write.Priority = buttons.power ? .ahead : .stop
        confirmation.start(write(RobotGATT.buttons, buttons.bytes, priority: priority, &effects), &effects)
    }

    /// Disconnects a robot that does not obey, so that its firmware switches the power off. The stop is written
    /// repeatedly until the link is gone.
    private mutating func closeLink(_ reason: String, _ effects: inout Effects) {
        let words =
            "the robot does not confirm its switches (\(reason)); it is disconnected, which cuts its power"
        latch.answer(confirmation.end(&effects), .failed(.deviceError, words), &effects)
        fail(.handshake, words, advice: "check that the robot stands still, and switch it off", &effects)
        phase = .givenUp
        stoppedBy = stoppedBy ?? .writeFailed
        statusReport.isUrgent = true
        writeStop(&effects)
    }
}
