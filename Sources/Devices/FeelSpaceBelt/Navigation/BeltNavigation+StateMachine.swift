extension BeltNavigation {
    /// Handles an event and returns the actions.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - mode: The belt's mode after the event; nil while it is not connected.
    mutating func handle(_ event: Event, mode: BeltMode?) -> [Action] {
        switch event {
        case .start(let target): return start(target, mode)
        case .update(let target):
            guard target.signal.isRepeated else { return [] }
            self.target = target
            return state == .navigating && mode == .app ? [.signal] : []
        case .pause: return pause(mode)
        case .stop:
            target = Target()
            guard state != .stopped else { return [] }
            state = .stopped
            return mode == .app || mode == .pause && isPauseOurs ? [.enter(.wait)] : []
        case .linkReady:
            guard state == .navigating else { return [] }
            return mode == .app ? [.signal] : [.enter(.app)]
        case .modeNotified(let mode): return modeNotified(mode)
        case .button(let press): return button(press)
        }
    }

    private mutating func start(_ target: Target, _ mode: BeltMode?) -> [Action] {
        guard target.signal.isRepeated else { return [] }
        guard state != .navigating else { return handle(.update(target), mode: mode) }
        self.target = target
        state = .navigating
        guard let mode else { return [] }
        return mode == .app ? [.signal] : [.enter(.app)]
    }

    private mutating func pause(_ mode: BeltMode?) -> [Action] {
        guard state == .navigating else { return [] }
        state = .paused
        return mode == .app ? [.enter(.pause)] : []
    }

    private mutating func modeNotified(_ mode: BeltMode) -> [Action] {
        isPauseOurs = false
        switch (mode, state) {
        case (.wait, .paused), (.wait, .navigating): state = .stopped
        case (.compass, .navigating), (.crossing, .navigating), (.calibration, .navigating),
            (.pause, .navigating):
            state = .paused
        case (.pause, .paused): isPauseOurs = true
        case (.app, .stopped): return [.enter(.wait)]
        case (.app, .paused): return [.enter(.pause)]
        case (.app, .navigating): return [.signal]
        default: break
        }
        return []
    }

    private mutating func button(_ press: BeltButtonPress) -> [Action] {
        isPauseOurs = false
        let mode = press.mode
        switch (press.button, press.previousMode == mode, mode) {
        case (.home, true, _): return home(mode)
        case (.pause, true, .app):
            switch state {
            case .stopped: return [.enter(.wait)]
            case .paused: return [.enter(.pause)]
            case .navigating: return pause(mode)
            }
        case (.pause, true, .pause):
            switch state {
            case .stopped: return [.enter(.wait)]
            case .paused: return start(target, mode)
            case .navigating: return [.enter(.app)]
            }
        case (.pause, true, _), (_, _, .app): return []
        default:
            if state == .navigating { state = .paused }
            return []
        }
    }

    private mutating func home(_ mode: BeltMode) -> [Action] {
        switch state {
        case .stopped: mode == .app ? [.enter(.wait)] : [.home(navigating: false)]
        case .paused: start(target, mode)
        case .navigating: mode == .app ? [.home(navigating: true)] : [.enter(.app)]
        }
    }
}
