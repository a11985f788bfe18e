import DeviceKit

extension BeltMachine {
    /// Carries out `raw_values`. Battery and orientation continue in parallel.
    mutating func setRawValues(
        _ id: CommandID, _ isEnabled: Bool, _ effects: inout Effects
    ) throws(CommandError) {
        if let missing = profile.missing(of: [BeltGATT.sensorCommand, BeltGATT.sensorData]) {
            throw CommandError(
                .notSupported, "this belt does not send raw values: it has no characteristic \(missing)")
        }
        if let older = diagnosis.raw.command { effects.answer(older, .superseded) }
        effects.cancelTimer(BeltDiagnosis.rawTimer)
        diagnosis.raw.command = nil
        diagnosis.raw.isEnabled = isEnabled
        if !isEnabled {
            diagnosis.raw.isRunning = false
            effects.append(.unsubscribe(BeltGATT.sensorData))
            effects.answer(id, .ok)
        } else if diagnosis.raw.isRunning {
            effects.answer(id, .ok)
        } else {
            diagnosis.raw.command = id
            effects.subscribe(BeltGATT.sensorData)
        }
    }

    /// Starts the stream after notifications are enabled, or handles their refusal.
    mutating func rawValuesSubscribed(_ result: WriteResult, _ effects: inout Effects) {
        guard diagnosis.raw.isEnabled else { return }
        switch result {
        case .success:
            write(BeltGATT.sensorCommand, BeltSensorPacket.startCommand, for: .rawValues, &effects)
        case .failure(let error): endRawValues(CommandError(error), &effects)
        }
    }

    /// Handles the belt's acknowledgment or refusal of the write that starts the stream of raw values.
    mutating func rawValuesRequested(_ result: WriteResult, _ effects: inout Effects) {
        guard diagnosis.raw.isEnabled, !diagnosis.raw.isRunning else { return }
        switch result {
        case .success: effects.startTimer(BeltDiagnosis.rawTimer, after: Self.answerTime)
        case .failure(let error): endRawValues(CommandError(error), &effects)
        }
    }

    /// Handles a belt that acknowledged the start of the stream but sends nothing.
    mutating func rawValuesAreLate(_ effects: inout Effects) {
        endRawValues(CommandError(.timeout, "the belt did not send raw values within 1 s"), &effects)
    }

    private mutating func endRawValues(_ error: CommandError, _ effects: inout Effects) {
        effects.append(.unsubscribe(BeltGATT.sensorData))
        if let id = diagnosis.raw.command {
            effects.answer(id, .failed(error))
        } else {
            effects.remark(.warning, "raw values no longer arrive: \(error)")
        }
        diagnosis.raw = BeltDiagnosis.RawValues()
    }

    /// Publishes a packet of raw values.
    mutating func noteRawValues(_ bytes: [UInt8], _ effects: inout Effects) {
        guard diagnosis.raw.isEnabled, let packet = BeltSensorPacket(bytes) else { return }
        BeltFamily.rawValues.publish(packet, &effects)
        guard !diagnosis.raw.isRunning else { return }
        diagnosis.raw.isRunning = true
        effects.cancelTimer(BeltDiagnosis.rawTimer)
        if let id = diagnosis.raw.command { effects.answer(id, .ok) }
        diagnosis.raw.command = nil
    }

    /// Restarts the streams that were on before the link was lost.
    mutating func resumeDiagnosis(_ effects: inout Effects) {
        askForCalibration(&effects)
        if diagnosis.raw.isEnabled { effects.subscribe(BeltGATT.sensorData) }
    }
}
