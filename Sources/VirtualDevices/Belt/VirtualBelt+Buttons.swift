import Bluetooth

extension VirtualBelt {
    /// Handles a button press on the control box.
    mutating func press(_ button: Button, _ press: Press, _ turn: inout Turn) {
        guard mode != .standby else {
            if button == .power, press == .long { switchOn(&turn) }
            return
        }
        switch (button, press) {
        case (.power, .long): move(to: .standby, button, press, &turn)
        case (.power, _):
            playBatterySignal(&turn)
            if choices.notifiesPowerPress { tell(button, press, from: mode, &turn) }
        case (.pause, _): pressPause(press, &turn)
        case (.compass, _): pressCompass(press, &turn)
        case (.home, .long): beginPairing(&turn)
        case (.home, _): pressHome(press, &turn)
        }
    }

    /// Handles the pause button. In app mode, and in a pause that started in app mode, the belt only reports the press,
    /// and the client's application reacts.
    private mutating func pressPause(_ press: Press, _ turn: inout Turn) {
        switch mode {
        case .wait, .compass, .crossing: move(to: .pause, .pause, press, &turn)
        case .pause where pausedMode != .app: move(to: pausedMode, .pause, press, &turn)
        case .pause, .app, .calibration, .standby: tell(.pause, press, from: mode, &turn)
        }
    }

    private mutating func pressCompass(_ press: Press, _ turn: inout Turn) {
        switch (mode, press) {
        case (.pause, _):
            changeIntensity(by: -choices.intensityStep, &turn)
            if choices.notifiesCompassInPause { tell(.compass, press, from: mode, &turn) }
        case (.wait, .double), (.app, .double), (.compass, .double):
            move(to: firmwareVersion >= 45 ? .crossing : .compass, .compass, press, &turn)
        case (.wait, .long), (.app, .long), (.compass, .long): move(to: .calibration, .compass, press, &turn)
        case (.wait, .short), (.app, .short), (.crossing, .short): move(to: .compass, .compass, press, &turn)
        default: tell(.compass, press, from: mode, &turn)
        }
    }

    private mutating func pressHome(_ press: Press, _ turn: inout Turn) {
        switch mode {
        case .pause: changeIntensity(by: choices.intensityStep, &turn)
        case .calibration: move(to: .wait, .home, press, &turn)
        case .wait, .compass, .crossing, .app, .standby: tell(.home, press, from: mode, &turn)
        }
    }

    private mutating func changeIntensity(by step: Int, _ turn: inout Turn) {
        let value = min(100, max(5, parameters.intensity.current + step))
        parameters.intensity.set(value)
        turn.notify(Attribute.parameter, [0x01, 0x02, UInt8(value)])
    }

    private mutating func move(to new: Mode, _ button: Button, _ press: Press, _ turn: inout Turn) {
        let old = mode
        enter(new, &turn)
        tell(button, press, from: old, &turn)
        if choices.repeatsModeOfButton, old != mode {
            turn.notify(Attribute.parameter, [0x01, 0x01, mode.rawValue])
        }
    }

    private func tell(_ button: Button, _ press: Press, from old: Mode, _ turn: inout Turn) {
        let number =
            switch press {
            case .short: 0
            case .double: 1
            case .long: 2
            }
        let code = number < choices.pressCodes.count ? choices.pressCodes[number] : UInt8(number + 1)
        turn.notify(
            Attribute.button, [button.rawValue, code, choices.buttonByte, old.rawValue, mode.rawValue])
    }
}
