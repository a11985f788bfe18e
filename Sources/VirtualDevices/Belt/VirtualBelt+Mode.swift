public import Bluetooth

extension VirtualBelt {
    /// Whether a notified value announces that the belt switches off: it contains the mode standby. Keep-alives, button
    /// presses and the mode parameter contain the mode.
    public func saysFarewell(_ value: [UInt8], on characteristic: CharacteristicID) -> Bool {
        func mode(at index: Int) -> Mode? {
            value.indices.contains(index) ? Mode(rawValue: value[index]) : nil
        }
        return switch characteristic {
        case Attribute.keepAlive: mode(at: 1) == .standby
        case Attribute.button:
            Button(rawValue: value.first ?? 0) != nil && mode(at: 3) != nil && mode(at: 4) == .standby
        case Attribute.parameter: value.starts(with: [0x01, 0x01]) && mode(at: 2) == .standby
        default: false
        }
    }

    mutating func switchOn(_ turn: inout Turn) {
        guard mode == .standby else { return }
        parameters.restart()
        log.session &+= 1
        turn.report("heading", ["heading": String(heading)])
        turn.report("battery", battery.details)
        enter(.wait, &turn)
        turn.reactions.append(.advertise(true))
    }

    /// Enters a mode without a notification.
    mutating func enter(_ new: Mode, _ turn: inout Turn) {
        guard new != mode else { return }
        if new == .pause { pausedMode = mode }
        let endsChannels = (new == .pause || mode == .app) && !choices.channelsSurvive
        if new == .standby || endsChannels { channels = [:] }
        if new != .standby, mode == .calibration { turn.cancel(.calibration) }
        signals = signals.filter {
            new != .pause && $0.key != .wait && $0.key != .inaccuracy || $0.key == .pairing
        }
        mode = new
        switch new {
        case .wait:
            if let period = choices.waitSignalPeriod { turn.start(.waitSignal, after: period) }
        case .crossing: crossingHeading = heading
        case .calibration: turn.start(.calibration, after: choices.calibrationTime)
        case .standby: switchOff(&turn)
        case .compass, .app, .pause: break
        }
        if !isCompassAccurate { turn.start(.inaccuracySignal, after: .milliseconds(500)) }
        turn.report("mode", ["mode": new.word])
    }

    /// Enters a mode and notifies it as a parameter, even if the belt is already in this mode.
    mutating func change(to new: Mode, _ turn: inout Turn) {
        enter(new, &turn)
        turn.notify(Attribute.parameter, [0x01, 0x01, mode.rawValue])
    }

    /// Handles a client's request for a mode.
    mutating func request(mode wanted: UInt8, _ turn: inout Turn) {
        let isKnown = Mode(rawValue: wanted).map { $0 != .crossing || firmwareVersion >= 45 } ?? false
        guard isKnown, let wanted = Mode(rawValue: wanted), mode != .standby else {
            turn.report("rejected", ["reason": "mode \(wanted) is not available"])
            if choices.refusedMode == .unchanged {
                turn.notify(Attribute.parameter, [0x01, 0x01, mode.rawValue])
            }
            return
        }
        change(to: wanted, &turn)
    }

    private mutating func switchOff(_ turn: inout Turn) {
        for timer in Timer.allCases where timer != .feel { turn.cancel(timer) }
        signals = [:]
        isInPairingMode = false
        turn.reactions.append(.advertise(false))
        if link != nil { turn.start(.standby, after: choices.standbyDelay) }
    }
}
