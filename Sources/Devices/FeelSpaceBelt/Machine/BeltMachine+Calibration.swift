import DeviceKit

extension BeltMachine {
    mutating func setCalibration(
        _ id: CommandID, _ asked: BeltFamily.CalibrationCommand, _ effects: inout Effects
    ) {
        if let older = diagnosis.calibration.command { effects.answer(older, .superseded) }
        diagnosis.calibration = BeltDiagnosis.Calibration(
            isEnabled: asked.isEnabled, period: .milliseconds(asked.period), command: id)
        guard asked.isEnabled else {
            effects.cancelTimer(BeltDiagnosis.roundTimer)
            effects.cancelTimer(BeltDiagnosis.answersTimer)
            diagnosis.calibration.command = nil
            return effects.answer(id, .ok)
        }
        askForCalibration(&effects)
    }

    /// Requests all calibration parameters.
    mutating func askForCalibration(_ effects: inout Effects) {
        guard diagnosis.calibration.isEnabled, phase == .online else { return }
        let parameters = BeltCalibration.parameters(firmware?.version ?? 0)
        diagnosis.calibration.told = BeltCalibration()
        diagnosis.calibration.awaited = Set(parameters)
        for parameter in parameters {
            effects.write(BeltGATT.parameterRequest, BeltParameterRequest.read(parameter).bytes)
        }
        effects.startTimer(BeltDiagnosis.answersTimer, after: BeltDiagnosis.answersTime)
    }

    /// Stores a notified parameter of the calibration. The last missing parameter completes the round.
    mutating func noteCalibration(_ notification: BeltParameterNotification, _ effects: inout Effects) {
        guard let content = notification.content,
            diagnosis.calibration.awaited.remove(notification.parameter) != nil
        else { return }
        diagnosis.calibration.told.note(notification.parameter, content)
        if diagnosis.calibration.awaited.isEmpty { endCalibrationRound(&effects) }
    }

    /// Publishes the calibration values that the belt has sent. If it has sent none, the belt is not asked again.
    mutating func endCalibrationRound(_ effects: inout Effects) {
        let told = diagnosis.calibration.told
        let command = diagnosis.calibration.command
        diagnosis.calibration.awaited = []
        diagnosis.calibration.command = nil
        effects.cancelTimer(BeltDiagnosis.answersTimer)
        guard told != BeltCalibration() else {
            diagnosis.calibration.isEnabled = false
            let words = "this belt does not report its calibration; only some development firmware does"
            guard let command else { return effects.remark(.warning, words) }
            return effects.answer(command, .failed(.notSupported, words))
        }
        BeltFamily.calibration.publish(told, &effects)
        effects.startTimer(BeltDiagnosis.roundTimer, after: diagnosis.calibration.period)
        if let command { effects.answer(command, .ok) }
    }
}
