import Bluetooth
import DeviceKit

extension TapMachine {
    /// How often the mode is repeated. If a TAP does not receive its mode repeatedly, it assumes that the bridge is
    /// gone, and becomes a keyboard again (according to all SDKs).
    static let refresh = KeepAlive("refresh", every: .seconds(10))

    /// Sets the mode on a new link: the last commanded mode, otherwise the default.
    mutating func beginModes(_ effects: inout Effects) {
        if let held = mode?.mode, !versions.has(.of(held)) { commanded.remove(.mode) }
        if mode == nil || !commanded.contains(.mode) { mode = supportedDefault(&effects) }
        if !commanded.contains(.xrState) { xrState = defaultXRState }
        slot.add(.refreshMode)
        if versions.has(.xrState) { slot.add(.refreshXR) }
        Self.refresh.arm(&effects)
        runSlot(&effects)
    }

    /// Repeats the mode. The TapXR state `user_control` is sent once per link, as in the iOS and Android SDKs. The
    /// other two states are repeated like the mode.
    mutating func refresh(_ effects: inout Effects) {
        guard phase == .online else { return }
        slot.add(.refreshMode)
        if versions.has(.xrState), !hasXRState || xrState != .userControl { slot.add(.refreshXR) }
        Self.refresh.arm(&effects)
        runSlot(&effects)
    }

    mutating func setMode(
        _ id: CommandID, _ asked: TapFamily.ModeCommand, _ effects: inout Effects
    ) throws(CommandError) {
        try requireClassic(TapFamily.inputMode.name)
        let wanted = asked.mode
        try versions.require(.of(wanted))
        guard wanted == .raw else { return try ask(.mode(wanted), id, &effects) }
        guard profile.has(TapGATT.raw) else {
            throw CommandError(.notSupported, "mode raw: this TAP has no raw stream")
        }
        let codes = asked.sensitivity ?? .init()
        try measure(with: TapSensitivity(codes: codes.fingers, codes.gyro, codes.accelerometer), id, &effects)
    }

    /// Changes the ranges of the sensors in raw mode. Ranges that the command omits stay the same.
    mutating func setClassicSensitivity(
        _ id: CommandID, _ asked: TapFamily.Codes, _ effects: inout Effects
    ) throws(CommandError) {
        guard case .raw(let present) = slot.newest ?? mode else {
            let name = mode?.mode?.name ?? "unknown"
            throw CommandError(
                .wrongMode, "sensitivity: the input mode is \(name); only mode raw has ranges")
        }
        let wanted = TapSensitivity(
            codes: asked.fingers ?? present.fingers, asked.gyro ?? present.gyro,
            asked.accelerometer ?? present.accelerometer)
        try measure(with: wanted, id, &effects)
    }

    private mutating func measure(
        with sensitivity: TapSensitivity, _ id: CommandID, _ effects: inout Effects
    ) throws(CommandError) {
        let command = TapInputCommand.raw(sensitivity)
        if needsToLeaveRaw(for: command) { slot.add(.leaveRaw) }
        try ask(command, id, &effects)
    }

    /// Whether the TAP must leave raw mode before the command. No document describes a change of sensitivities within
    /// raw mode, and one SDK requires leaving raw mode first.
    func needsToLeaveRaw(for command: TapInputCommand) -> Bool {
        let before = slot.newest ?? mode
        return before?.mode == .raw && command.mode == .raw && before != command && !slot.waiting.isFull
    }

    mutating func setXRState(
        _ id: CommandID, _ state: TapXRState, _ effects: inout Effects
    ) throws(CommandError) {
        try requireClassic(TapFamily.xrState.name)
        try versions.require(.xrState)
        try ask(.xr(state), id, &effects)
    }

    private mutating func ask(
        _ command: TapInputCommand, _ id: CommandID, _ effects: inout Effects
    ) throws(CommandError) {
        try slot.waiting.requireRoom()
        slot.add(.asked(command, id))
        runSlot(&effects)
    }

    // MARK: The command queue

    /// Writes the next command if possible, or starts the timer for the next check.
    mutating func runSlot(_ effects: inout Effects) {
        guard phase == .online || phase == .closing else { return }
        if let entry = slot.next(at: now) {
            let command = command(of: entry)
            switch command {
            case .xr(let state): sentXRState = state
            case .mode, .raw: sentMode = command
            }
            write(TapGATT.command, command.bytes, for: .slot(command), &effects)
        } else if let delay = slot.delay(at: now) {
            effects.startTimer(Self.slotTimer, after: delay)
        }
    }

    /// Returns the command that an entry of the queue writes.
    private func command(of entry: TapCommandSlot.Entry) -> TapInputCommand {
        switch entry {
        case .asked(let command, _), .default(let command), .lastWord(let command): command
        case .leaveRaw: .mode(.controller)
        case .refreshMode, .forgotten: mode ?? .mode(.controller)
        case .refreshXR: .xr(xrState)
        }
    }

    /// Handles the result of the write in progress.
    mutating func slotWritten(_ command: TapInputCommand, _ result: WriteResult, _ effects: inout Effects) {
        guard let entry = slot.finish(at: now) else { return }
        let id = entry.command
        switch (result, entry) {
        case (_, .lastWord), (_, .forgotten): break
        case (.failure(let error), _):
            if let id { effects.answer(id, .failed(CommandError(error))) }
            effects.remark(.debug, "a mode command failed: \(error)")
            if error.code == .notPermitted, !profile.isPaired {
                return failUnbonded(&effects)
            }
        case (.success, .leaveRaw): break
        case (.success, _):
            note(entry)
            keepUp(command, &effects)
            if let id { effects.answer(id, .ok) }
        }
        if phase == .closing, slot.isEmpty {
            Self.closing.finish(&effects)
        } else {
            runSlot(&effects)
        }
    }

    /// Records whether a command or a default set the new state. Changed defaults do not replace a state that a command
    /// set.
    private mutating func note(_ entry: TapCommandSlot.Entry) {
        switch entry {
        case .asked(let command, _): commanded.insert(command.mode == nil ? .xrState : .mode)
        case .default(let command): commanded.remove(command.mode == nil ? .xrState : .mode)
        case .leaveRaw, .refreshMode, .refreshXR, .lastWord, .forgotten: break
        }
    }

    /// Records a state that the TAP accepted. From now on, the bridge repeats this state.
    private mutating func keepUp(_ command: TapInputCommand, _ effects: inout Effects) {
        if case .xr(let state) = command {
            (xrState, hasXRState) = (state, true)
            TapFamily.xrState.publish(state, &effects)
        } else if let inputMode = command.mode {
            // In the new mode, the TAP may not report the hand. A press or a drag in progress would then never end.
            if mode?.mode != inputMode { endPointer(&effects) }
            mode = command
            if case .raw(let codes) = command {
                TapFamily.sensitivity.publish(
                    .init(fingers: codes.fingers, gyro: codes.gyro, accelerometer: codes.accelerometer),
                    &effects)
                tellsRanges = true
            } else if tellsRanges {
                effects.append(.withdraw(feature: TapFamily.sensitivity.name))
                tellsRanges = false
            }
            TapFamily.inputMode.publish(inputMode, &effects)
        }
    }
}
