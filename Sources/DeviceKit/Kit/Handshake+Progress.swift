public import Bluetooth

extension Handshake {
    /// Starts the first step.
    public func begin(_ effects: inout Effects) -> Progress {
        effects.startTimer(Self.timer, after: time)
        return perform(&effects)
    }

    /// Handles the result of a subscription.
    public mutating func subscribed(
        _ characteristic: CharacteristicID, _ result: WriteResult, _ effects: inout Effects
    ) -> Progress {
        guard current?.action == .subscribe(characteristic) else { return .unrelated }
        switch result {
        case .success: return advance(&effects)
        case .failure(let error): return stepFailed(error, &effects)
        }
    }

    /// Whether the current step is a read of this characteristic. The caller must process the value before it calls
    /// ``read(_:_:_:)``.
    public func awaitsRead(of characteristic: CharacteristicID) -> Bool {
        current?.action == .read(characteristic)
    }

    /// Handles the result of a read.
    public mutating func read(
        _ characteristic: CharacteristicID, _ result: ReadResult,
        _ effects: inout Effects
    ) -> Progress {
        guard awaitsRead(of: characteristic) else { return .unrelated }
        switch result {
        case .success: return advance(&effects)
        case .failure(let error): return stepFailed(error, &effects)
        }
    }

    /// Handles the result of a write.
    public mutating func written(
        _ token: WriteToken, _ result: WriteResult, _ effects: inout Effects
    ) -> Progress {
        guard token == Self.token, case .ask(_, _, let words)? = current?.action else { return .unrelated }
        switch result {
        case .failure(let error): return stepFailed(error, &effects)
        case .success:
            if words.isEmpty { return advance(&effects) }
            effects.startTimer(Self.answerTimer, after: answerTime)
            return .waiting
        }
    }

    /// Handles an answer of the device, even if it arrives before the result of the write.
    public mutating func heard(_ word: Word, _ effects: inout Effects) -> Progress {
        guard case .ask(_, _, let words)? = current?.action, words.contains(word) else { return .unrelated }
        return advance(&effects)
    }

    /// Handles an answer that did not arrive within ``answerTime``.
    ///
    /// - Parameter isKnown: Whether the requested value is known from another source.
    public mutating func answerIsLate(isKnown: Bool = false, _ effects: inout Effects) -> Progress {
        guard case .ask? = current?.action else { return .unrelated }
        if isKnown { return advance(&effects) }
        return stepFailed(OperationError(.timeout, "no answer in \(Self.text(answerTime))"), &effects)
    }

    /// Handles a handshake that is not complete within its time limit.
    public func isLate() -> Progress {
        guard !isOver else { return .unrelated }
        return .failed(
            DeviceFailure(.handshake, "the \(wording.device) was not ready within \(Self.text(time))"))
    }

    /// Whether no steps are left.
    public var isOver: Bool { current == nil }

    // MARK: Steps

    private func perform(_ effects: inout Effects) -> Progress {
        switch current?.action {
        case .subscribe(let characteristic): effects.subscribe(characteristic)
        case .read(let characteristic): effects.read(characteristic)
        case .ask(let characteristic, let value, _):
            effects.write(characteristic, value, token: Self.token)
        case nil:
            effects.cancelTimer(Self.timer)
            return .done
        }
        return .waiting
    }

    private mutating func advance(_ effects: inout Effects) -> Progress {
        if case .ask? = current?.action { effects.cancelTimer(Self.answerTimer) }
        steps = steps.dropFirst()
        return perform(&effects)
    }

    /// Handles a failed step: the device requires a bond, the step is optional, or the handshake fails.
    private mutating func stepFailed(_ error: OperationError, _ effects: inout Effects) -> Progress {
        guard let step = current else { return .unrelated }
        if error.code == .notPermitted, !(isBonded && step.isOptional) { return .failed(wording.unbonded) }
        guard step.isOptional else {
            return .failed(DeviceFailure(.handshake, "\(step.action) failed: \(error)"))
        }
        effects.remark(.info, "\(step.action) failed and is skipped: \(error)")
        return advance(&effects)
    }

    private static func text(_ time: Duration) -> String { "\(Int(time / .seconds(1))) s" }
}
