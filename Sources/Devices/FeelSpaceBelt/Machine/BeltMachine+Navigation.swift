import DeviceKit

extension BeltMachine {
    /// Returns the event of the navigation controller that corresponds to a navigation command.
    private func event(_ asked: BeltFamily.NavigationCommand) throws(CommandError) -> BeltNavigation.Event {
        var target = navigation.target
        if let direction = asked.direction { target = BeltNavigation.Target(direction: direction) }
        target.reference = asked.reference ?? target.reference
        target.signal = asked.signal ?? target.signal
        switch (asked.state, navigation.state) {
        case (.stopped, _): return .stop
        case (.paused, .stopped):
            throw CommandError(.wrongMode, "navigation is stopped; there is nothing to pause")
        case (.paused, _), (nil, .paused): return .update(target)
        case (nil, .stopped) where !asked.startsIfStopped: return .update(target)
        case (.navigating, _), (nil, _):
            guard target.direction != nil || !target.signal.isDirectional else {
                throw CommandError(
                    .missingField,
                    "direction: missing, and no direction was given since the last stop; 0 to 360")
            }
            return .start(target)
        }
    }

    /// Passes a command to the navigation controller. A pause with a new target is two events.
    private mutating func control(
        _ asked: BeltFamily.NavigationCommand, mode: BeltMode?
    ) throws(CommandError) -> [BeltNavigation.Action] {
        let event = try event(asked)
        if asked.state == .paused {
            let actions = navigation.handle(.pause, mode: mode)
            return actions + navigation.handle(event, mode: mode)
        }
        return navigation.handle(event, mode: mode)
    }

    /// Handles a navigation command while the belt is offline: the navigation controller stores the new state, and the
    /// belt shows it when it is online again.
    mutating func keep(_ request: BeltRequest, _ effects: inout Effects) {
        do throws(CommandError) {
            _ = try control(BeltFamily.navigation.parse(request.arguments), mode: nil)
            effects.answer(request.id, .kept)
        } catch {
            effects.answer(request.id, .failed(error))
        }
    }

    /// Whether a command has started navigation, and the belt has not notified app mode yet.
    private var awaitsAppMode: Bool {
        change?.next == .navigation && change?.goal == .mode(.app)
            && navigation.state == .navigating
    }

    /// Whether the command only changes the target while navigation waits for app mode, so that it need not be
    /// queued.
    func changesAwaitedTarget(_ request: BeltRequest) -> Bool {
        awaitsAppMode && queue.isEmpty && (request.navigation?.state ?? .navigating) == .navigating
    }

    /// Carries out a navigation command.
    mutating func navigate(
        _ id: CommandID, _ asked: BeltFamily.NavigationCommand, _ effects: inout Effects
    ) throws(CommandError) {
        var actions = try control(asked, mode: mode)
        navigationCommand.answer(.superseded, &effects)
        if actions.isEmpty, navigation.state == .navigating, mode != .app {
            guard !awaitsAppMode else {
                return navigationCommand.put(id, &effects)
            }
            // The belt refused an earlier request for app mode. Without a new request, the navigation controller would
            // wait indefinitely.
            actions = [.enter(.app)]
        }
        switch actions.first {
        case .signal:
            navigationCommand.put(id, &effects)
            perform(actions, &effects)
        case .enter(.app):
            navigationCommand.put(id, &effects)
            request(.setMode(.app), until: .mode(.app), for: nil, then: .navigation, &effects)
        case .enter(let wanted):
            request(.setMode(wanted), until: .mode(wanted), for: id, then: .navigation, &effects)
        case .home, nil: effects.answer(id, .ok)
        }
    }

    /// Carries out actions of the navigation controller. A mode is requested without waiting for the belt to notify it.
    mutating func perform(_ actions: [BeltNavigation.Action], _ effects: inout Effects) {
        guard !pausesOverProxy(&effects) else { return }
        for action in actions {
            switch action {
            case .enter(let mode): request(mode: mode, &effects)
            // While a pattern plays, no signal is written. The newest target is shown when the pattern ends.
            case .signal where isPlaying: navigationCommand.answer(.kept, &effects)
            case .signal: advanceSignal(throttle.request(at: now), &effects)
            case .home(let navigating): BeltFamily.home.publish(.init(isNavigating: navigating), &effects)
            }
        }
    }

    /// Writes the navigation signal for the newest target, or starts a timer if the previous signal was written too
    /// recently.
    mutating func advanceSignal(_ decision: WritePacer.Decision, _ effects: inout Effects) {
        switch decision {
        case .nothing: break
        case .wait(let delay): effects.startTimer(Self.signalTimer, after: delay)
        case .send where isPlaying:
            _ = throttle.completed(at: now)
            navigationCommand.answer(.kept, &effects)
        case .send:
            let target = navigation.target
            guard phase == .online, mode == .app, navigation.state == .navigating,
                let signal = target.signal.command(
                    on: BeltSignal.navigationChannel, direction: target.direction, reference: target.reference
                )
            else {
                _ = throttle.completed(at: now)
                return
            }
            write(signal, for: .signal(navigationCommand.take()), from: .navigation, &effects)
        }
    }

    /// Answers a navigation command whose signal will not be written, because the wearer pressed a button first.
    mutating func settleNavigationCommand(_ effects: inout Effects) {
        guard navigationCommand.id != nil, change?.next != .navigation else { return }
        let isComing = navigation.state == .navigating && mode == .app && throttle.isDue
        guard !isComing else { return }
        navigationCommand.answer(
            .failed(.wrongMode, "the wearer set navigation to \(navigation.state.name)"), &effects)
    }
}
