import Bluetooth
import DeviceKit

// The robot acknowledges nothing: only a read of the buttons proves that a switch is as it was told.
extension RobotMachine {
    /// Writes the switches and proves them; the commands are answered then.
    mutating func writeButtons(
        for commands: [CommandID], priority: Write.Priority = .normal, _ effects: inout Effects
    ) {
        changes += 1
        confirm(write(RobotGATT.buttons, buttons.bytes, priority: priority, &effects), &effects)
        confirmation?.commands += commands
        effects.startTimer(Self.cadenceTimer, after: timeToNextFrame())
    }

    /// Proves what a write says that is under way. One proof at a time: it is always of what is commanded now.
    mutating func confirm(_ token: WriteToken, _ effects: inout Effects) {
        var next = confirmation ?? RobotConfirmation(stage: .reading)
        buttonReads.abandon()
        next.stage = .writing(token)
        confirmation = next
        effects.startTimer(Self.confirmationTimer, after: RobotConfirmation.time)
    }

    mutating func confirmationWritten(_ result: Result<Void, OperationError>, _ effects: inout Effects) {
        switch result {
        case .success:
            confirmation?.stage = .reading
            buttonReads.read(for: (), &effects)
        case .failure(let error): confirmationFailed("a write failed: \(error)", &effects)
        }
    }

    mutating func buttonsRead(_ result: Result<[UInt8], OperationError>, _ effects: inout Effects) {
        guard buttonReads.complete() != nil, let done = confirmation else { return }
        if let complaint = Self.complaint(result, buttons.bytes) {
            return confirmationFailed(complaint, &effects)
        }
        confirmation = nil
        effects.cancelTimer(Self.confirmationTimer)
        answerProven(done.commands, .ok, &effects)
        switchPowerOn(&effects)
    }

    mutating func confirmationIsLate(_ effects: inout Effects) {
        guard confirmation != nil else { return }
        buttonReads.abandon()
        confirmationFailed("no answer within 1 s", &effects)
    }

    /// Writes again, or cuts the power in the one way that is left.
    private mutating func confirmationFailed(_ reason: String, _ effects: inout Effects) {
        guard var failed = confirmation else { return }
        failed.failures += 1
        guard failed.failures < RobotConfirmation.attempts else {
            confirmation = failed
            return giveUp(reason, &effects)
        }
        effects.remark(
            .warning, "the robot does not confirm its switches, which are written again: \(reason)")
        let priority: Write.Priority = buttons.power ? .ahead : .stop
        failed.stage = .writing(write(RobotGATT.buttons, buttons.bytes, priority: priority, &effects))
        confirmation = failed
        effects.startTimer(Self.confirmationTimer, after: RobotConfirmation.time)
    }

    /// A robot that does not take what it is told is disconnected, which makes its firmware cut the power. Until
    /// the link is gone the stop is written again and again.
    private mutating func giveUp(_ reason: String, _ effects: inout Effects) {
        let words =
            "the robot does not confirm its switches (\(reason)); it is disconnected, which cuts its power"
        let commands = confirmation?.commands ?? []
        confirmation = nil
        answerProven(commands, .failed(.deviceError, words), &effects)
        fail(.handshake, words, advice: "see that the robot stands still, and switch it off", &effects)
        stoppedBy = stoppedBy ?? .writeFailed
        isStatusUrgent = true
        isGivenUp = true
        buttons = RobotButtons(fieldOrientation: buttons.fieldOrientation)
        writeHalt(&effects)
    }

    /// Lets go of a proof whose value does not hold any more.
    mutating func dropConfirmation(_ effects: inout Effects) {
        guard let dropped = confirmation else { return }
        confirmation = nil
        buttonReads.abandon()
        effects.cancelTimer(Self.confirmationTimer)
        answerProven(dropped.commands, Self.dropped, &effects)
    }
}
