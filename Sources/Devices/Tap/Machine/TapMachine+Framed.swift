import Bluetooth
import DeviceKit

/// The framed protocol: one characteristic carries all reports, another all commands. Switches replace input modes.
extension TapMachine {
    static let answerTimer: TimerName = "frame_answer"

    /// Whether the TAP uses the framed protocol, according to its characteristics (tap-python-sdk).
    static func isFramed(_ profile: LinkProfile) -> Bool { TapGATT.framed.allSatisfy(profile.has) }

    /// Starts the keep-alive, restores the last requested state, and asks the TAP for all other state.
    mutating func beginFrames(_ effects: inout Effects) {
        if wantedSensing == nil || !commanded.contains(.sensing) {
            wantedSensing = TapSensing(mode: defaultMode)
        }
        keepFramedAlive(&effects)
        let wanted = wantedSensing ?? .off
        let ranges = wantedRanges.map { [TapFrameCommand.setSensitivity($0)] } ?? []
        frames.add(
            TapFrameLine.Request(
                purpose: .setup,
                commands: wanted.commands + ranges + TapSensing.example.questions + [
                    .askSensitivity, .askStandby,
                ]))
        runFrames(&effects)
    }

    /// Sends the keep-alive, which shows the TAP that its client is connected.
    mutating func keepFramedAlive(_ effects: inout Effects) {
        guard phase == .online else { return }
        effects.write(
            TapGATT.frameCommand, TapFrameCommand.keepAlive.bytes, profile.writeKind(TapGATT.frameCommand))
        Self.refresh.arm(&effects)
    }

    // MARK: Commands

    mutating func setSensing(_ id: CommandID, _ asked: TapSensing, _ effects: inout Effects)
        throws(CommandError)
    {
        try requireFramed(TapFamily.sensing.name)
        try ask(.sensing(asked), asked.commands + asked.questions, id, &effects)
    }

    mutating func setStandby(_ id: CommandID, _ isOn: Bool, _ effects: inout Effects) throws(CommandError) {
        try requireFramed(TapFamily.standby.name)
        try ask(.standby(isOn), [.setStandby(isOn), .askStandby], id, &effects)
    }

    mutating func setSensitivity(
        _ id: CommandID, _ asked: TapFamily.Codes, _ effects: inout Effects
    ) throws(CommandError) {
        guard isFramed else { return try setClassicSensitivity(id, asked, &effects) }
        guard asked.fingers == nil else {
            throw CommandError(.notSupported, "fingers: the framed protocol has no range for the fingers")
        }
        let present = ranges ?? TapSensitivity()
        let wanted = TapSensitivity(
            codes: 0, asked.gyro ?? present.gyro, asked.accelerometer ?? present.accelerometer)
        try ask(.sensitivity(wanted), [.setSensitivity(wanted), .askSensitivity], id, &effects)
    }

    private func requireFramed(_ feature: String) throws(CommandError) {
        guard !isFramed else { return }
        throw CommandError(
            .notSupported,
            "\(feature): only the framed protocol has this feature; this TAP has input_mode instead")
    }

    /// Throws an error for features that only the classic protocol has.
    func requireClassic(_ feature: String) throws(CommandError) {
        guard isFramed else { return }
        throw CommandError(
            .notSupported,
            "\(feature): the framed protocol does not have this feature; this TAP has sensing instead")
    }

    private mutating func ask(
        _ goal: TapFrameLine.Request.Goal, _ commands: [TapFrameCommand], _ id: CommandID,
        _ effects: inout Effects
    ) throws(CommandError) {
        try frames.waiting.requireRoom()
        frames.add(TapFrameLine.Request(purpose: .asked(id, goal), commands: commands))
        runFrames(&effects)
    }

    // MARK: Queue

    /// Writes the next frame if possible, or waits for answers.
    mutating func runFrames(_ effects: inout Effects) {
        guard phase == .online || phase == .closing else { return }
        while let request = frames.finished() { finish(request, &effects) }
        if let command = frames.next() {
            switch command {
            case .set(let feature, let isOn): note(feature, isOn: isOn)
            // Until the TAP reports its new ranges, raw values may have the scale of the old or of the new ranges.
            case .setSensitivity: ranges = nil
            default: break
            }
            write(TapGATT.frameCommand, command.bytes, for: .frame, &effects)
        } else if frames.awaitsAnswers {
            effects.startTimer(Self.answerTimer, after: TapFrameLine.answerTime)
        } else if phase == .closing, frames.isEmpty {
            Self.closing.finish(&effects)
        }
    }

    /// Records that a function was switched on or off. If the bridge crashes, the guardian switches off the functions
    /// that are on.
    private mutating func note(_ feature: TapSwitch, isOn: Bool) {
        if isOn { switchedOn.insert(feature) } else { switchedOn.remove(feature) }
    }

    /// Handles the result of a write. A failure cancels the remaining frames of the request.
    mutating func frameWritten(_ result: WriteResult, _ effects: inout Effects) {
        frames.wrote()
        if case .failure(let error) = result {
            if let request = frames.abandon() { fail(request, CommandError(error), &effects) }
            if error.code == .notPermitted, !profile.isPaired, phase == .online {
                return failUnbonded(&effects)
            }
        }
        runFrames(&effects)
    }

    /// Handles a TAP that did not answer in time.
    mutating func answersAreLate(_ effects: inout Effects) {
        guard frames.awaitsAnswers, let request = frames.abandon() else { return }
        let seconds = Int(TapFrameLine.answerTime / .seconds(1))
        fail(
            request,
            CommandError(
                .timeout, "the TAP accepted the command but did not report its state within \(seconds) s"),
            &effects)
        runFrames(&effects)
    }

    private mutating func finish(_ request: TapFrameLine.Request, _ effects: inout Effects) {
        effects.cancelTimer(Self.answerTimer)
        publishSettings(&effects)
        guard case .asked(let id, let goal) = request.purpose else { return }
        if let present = contradiction(to: goal) {
            return effects.answer(
                id, .failed(.deviceError, "the TAP accepted the command but reports \(present)"))
        }
        switch goal {
        case .sensing(let asked):
            wantedSensing?.take(asked)
            commanded.insert(.sensing)
        case .sensitivity(let asked): wantedRanges = asked
        case .standby: break
        }
        effects.answer(id, .ok)
    }

    private mutating func fail(
        _ request: TapFrameLine.Request, _ error: CommandError, _ effects: inout Effects
    ) {
        effects.cancelTimer(Self.answerTimer)
        publishSettings(&effects)
        if let id = request.command { return effects.answer(id, .failed(error)) }
        if request.purpose == .setup {
            effects.remark(.warning, "the TAP may not have applied the requested sensing: \(error.message)")
        }
    }

    private func contradiction(to goal: TapFrameLine.Request.Goal) -> String? {
        switch goal {
        case .sensing(let asked): sensing.contradiction(to: asked)
        case .sensitivity(let asked):
            ranges == asked
                ? nil : "gyro \(ranges?.gyro ?? 0) and accelerometer \(ranges?.accelerometer ?? 0)"
        case .standby(let asked): isInStandby == asked ? nil : "standby \(!asked)"
        }
    }

    // MARK: Reports of the TAP

    mutating func received(frame bytes: [UInt8], _ effects: inout Effects) {
        guard let report = TapFrameReport(bytes) else {
            effects.count("unknown_frames")
            return effects.remark(.debug, "the TAP sent an unknown frame of \(bytes.count) bytes")
        }
        switch report {
        case .motion(let motion): moved(motion, &effects)
        case .raw(let messages): if let ranges { measured(messages, ranges, &effects) }
        case .tap(let tap): tapped(tap, &effects)
        case .gesture(let gesture):
            TapFamily.airGesture.publish(.init(gesture: gesture, code: gesture.code), &effects)
        case .standby(let isOn): isInStandby = isOn
        case .feature(let feature, let isOn): sensing[feature] = isOn
        case .visionMode(let mode): sensing.visionMode = mode
        case .visionModel(let model): sensing.visionModel = model
        case .sensitivity(let told): ranges = told
        case .haptic: break
        }
        guard let topic = report.topic, phase == .online || phase == .closing else { return }
        frames.heard(topic)
        // During a request, settings are published only when the request ends.
        if frames.underWay == nil { publishSettings(&effects) } else { runFrames(&effects) }
    }

    private func publishSettings(_ effects: inout Effects) {
        guard phase == .online else { return }
        if sensing != TapSensing() { TapFamily.sensing.publish(sensing, &effects) }
        if let ranges {
            TapFamily.sensitivity.publish(
                .init(gyro: ranges.gyro, accelerometer: ranges.accelerometer), &effects)
        }
        if let isInStandby { TapFamily.standby.publish(isInStandby, &effects) }
    }
}
