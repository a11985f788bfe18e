import DeviceKit
import JSON

extension BeltMachine {
    /// Writes a request that the belt must confirm by a notification.
    mutating func request(
        _ request: ParameterRequest, until goal: Confirmation.Goal, for command: CommandID?,
        then next: Confirmation.Next = .answer, _ effects: inout Effects
    ) {
        confirmation = Confirmation(goal: goal, command: command, next: next)
        if goal == .mode(.app) { isEnteringAppMode = mode != .app }
        write(GATT.parameterRequest, request.bytes, for: .confirmed, &effects)
        effects.startTimer(Self.confirmationTimer, after: Confirmation.patience)
        confirmMode(&effects)
    }

    /// Asks for a mode without waiting: the notification will say.
    mutating func request(mode: Mode, _ effects: inout Effects) {
        isEnteringAppMode = mode == .app && self.mode != .app
        effects.write(GATT.parameterRequest, ParameterRequest.setMode(mode).bytes)
    }

    /// The request was acknowledged or refused.
    mutating func requestWritten(_ result: Result<Void, OperationError>, _ effects: inout Effects) {
        guard confirmation != nil else { return }
        switch result {
        case .success:
            confirmation?.isAcknowledged = true
            effects.startTimer(Self.confirmationTimer, after: Confirmation.time)
            if confirmation?.isNotified == true { finishConfirmation(&effects) }
        case .failure(let error): failConfirmation(CommandError(error), &effects)
        }
    }

    /// Notes that the belt is in the wanted mode, which it may have been before.
    mutating func confirmMode(_ effects: inout Effects) {
        guard case .mode(let wanted) = confirmation?.goal, mode == wanted else { return }
        noteConfirmation(&effects)
    }

    /// Notes a parameter's value, which the belt may have adjusted.
    mutating func confirm(_ parameter: Parameter, as value: JSON.Value, _ effects: inout Effects) {
        guard case .parameter(let parameters, let wanted) = confirmation?.goal,
            parameters.contains(parameter)
        else { return }
        if value != wanted { confirmation?.adjusted = value }
        noteConfirmation(&effects)
    }

    private mutating func noteConfirmation(_ effects: inout Effects) {
        confirmation?.isNotified = true
        if confirmation?.isAcknowledged == true { finishConfirmation(&effects) }
    }

    /// The belt did what was asked.
    mutating func finishConfirmation(_ effects: inout Effects) {
        guard let done = take(&effects) else { return }
        switch done.next {
        case .answer, .navigation:
            if let command = done.command {
                effects.answer(command, .ok(done.adjusted.map { ["adjusted": $0] } ?? [:]))
            }
        case .vibrate(let vibration): send(vibration, for: done.command, &effects)
        case .orientation: subscribeOrientation(for: done.command, &effects)
        }
    }

    /// The belt did not do what was asked.
    private mutating func failConfirmation(_ error: CommandError, _ effects: inout Effects) {
        guard let failed = take(&effects) else { return }
        if failed.goal == .mode(.app), mode != .app {
            appMode.isWanted = false
            isEnteringAppMode = false
        }
        if let command = failed.command { effects.answer(command, .failed(error)) }
        switch failed.next {
        case .orientation: subscribeOrientation(for: nil, &effects)
        case .navigation: answerNavigation(.failed(error), &effects)
        case .answer, .vibrate: break
        }
    }

    mutating func confirmationIsLate(_ effects: inout Effects) {
        guard let confirmation else { return }
        let words =
            switch confirmation.goal {
            case .mode(let wanted):
                "the belt did not confirm mode \(wanted.name) within 1 s; it is in mode "
                    + (mode?.name ?? "unknown")
            case .parameter: "the belt did not confirm the change within 1 s"
            }
        failConfirmation(CommandError(.timeout, words), &effects)
    }

    private mutating func take(_ effects: inout Effects) -> Confirmation? {
        defer { confirmation = nil }
        if confirmation != nil { effects.cancelTimer(Self.confirmationTimer) }
        return confirmation
    }
}
