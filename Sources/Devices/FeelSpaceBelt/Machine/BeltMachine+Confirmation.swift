import DeviceKit
import JSON

extension BeltMachine {
    /// Writes a request that the belt must confirm by a notification.
    mutating func request(
        _ request: BeltParameterRequest, until goal: BeltParameterChange.Goal, for command: CommandID?,
        then next: BeltParameterChange.Next = .answer, _ effects: inout Effects
    ) {
        self.request(request.bytes, until: goal, for: command, then: next, &effects)
    }

    /// Writes the bytes of a request that the belt must confirm by a notification.
    ///
    /// - Parameter members: The additional members of a successful answer.
    mutating func request(
        _ bytes: [UInt8], until goal: BeltParameterChange.Goal, for command: CommandID?,
        then next: BeltParameterChange.Next = .answer, saying members: JSON.Object = [:],
        _ effects: inout Effects
    ) {
        let change = BeltParameterChange(
            confirmation: Confirmation(goal, within: BeltParameterChange.time), command: command, next: next,
            members: members)
        self.change = change
        if goal == .mode(.app) { isEnteringAppMode = mode != .app }
        write(BeltGATT.parameterRequest, bytes, for: .confirmed, &effects)
        change.confirmation.begin(&effects)
        confirmMode(&effects)
    }

    /// Requests a mode. Nothing waits for the belt to notify the mode.
    mutating func request(mode: BeltMode, _ effects: inout Effects) {
        isEnteringAppMode = mode == .app && self.mode != .app
        effects.write(BeltGATT.parameterRequest, BeltParameterRequest.setMode(mode).bytes)
    }

    /// Handles the belt's acknowledgment or refusal of the write of the request.
    mutating func requestWritten(_ result: WriteResult, _ effects: inout Effects) {
        guard change != nil else { return }
        switch result {
        case .success:
            change?.confirmation.acknowledged(&effects)
            finishIfDone(&effects)
        case .failure(let error): failChange(CommandError(error), &effects)
        }
    }

    /// Confirms the request in progress if it requested the mode that the belt is in now.
    mutating func confirmMode(_ effects: inout Effects) {
        guard case .mode(let wanted) = change?.goal, mode == wanted else { return }
        change?.confirmation.heard()
        finishIfDone(&effects)
    }

    /// Confirms the request in progress if it changed this parameter. The belt may have adjusted the requested value.
    mutating func confirm(_ parameter: BeltParameter, as value: JSON.Value, _ effects: inout Effects) {
        guard case .parameter(let parameters, let wanted) = change?.goal, parameters.contains(parameter)
        else { return }
        if value != wanted { change?.adjusted = value }
        change?.confirmation.heard()
        finishIfDone(&effects)
    }

    private mutating func finishIfDone(_ effects: inout Effects) {
        if change?.confirmation.isDone == true { finishChange(&effects) }
    }

    /// Ends the request in progress successfully.
    mutating func finishChange(_ effects: inout Effects) {
        guard let done = take(&effects) else { return }
        switch done.next {
        case .answer, .navigation:
            if let command = done.command {
                effects.answer(command, .ok(done.adjusted.map { ["adjusted": $0] } ?? done.members))
            }
        case .vibrate(let vibration):
            send(vibration, for: done.command, from: .init(vibration), &effects)
        case .orientation: subscribeOrientation(for: done.command, &effects)
        }
    }

    /// Ends the request in progress with an error.
    private mutating func failChange(_ error: CommandError, _ effects: inout Effects) {
        guard let failed = take(&effects) else { return }
        if failed.goal == .mode(.app), mode != .app {
            appMode.isWanted = false
            isEnteringAppMode = false
        }
        if let command = failed.command { effects.answer(command, .failed(error)) }
        switch failed.next {
        case .orientation: subscribeOrientation(for: nil, &effects)
        case .navigation: navigationCommand.answer(.failed(error), &effects)
        case .answer, .vibrate: break
        }
    }

    mutating func changeIsLate(_ effects: inout Effects) {
        guard let change else { return }
        let words =
            switch change.goal {
            case .mode(let wanted):
                "the belt did not confirm mode \(wanted.name) within 1 s; it is in mode "
                    + (mode?.name ?? "unknown")
            case .parameter: "the belt did not confirm the change within 1 s"
            }
        failChange(CommandError(.timeout, words), &effects)
    }

    private mutating func take(_ effects: inout Effects) -> BeltParameterChange? {
        change?.confirmation.end(&effects)
        defer { change = nil }
        return change
    }
}
