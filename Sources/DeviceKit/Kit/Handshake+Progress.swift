public import Bluetooth

extension Handshake {
    /// Begins with the first step.
    public func begin(_ effects: inout Effects) -> Progress {
        effects.startTimer(Self.timer, after: time)
        return perform(&effects)
    }

    /// Takes the end of a subscription.
    public mutating func subscribed(
        _ characteristic: CharacteristicID, _ result: WriteResult, _ effects: inout Effects
    ) -> Progress {
        guard current?.action == .subscribe(characteristic) else { return .unrelated }
        switch result {
        case .success: return advance(&effects)
        case .failure(let error): return stepFailed(error, &effects)
        }
    }

    /// Whether a read that is done is the step under way; its value is taken before ``read(_:_:_:)`` goes on.
    public func awaitsRead(of characteristic: CharacteristicID) -> Bool {
        current?.action == .read(characteristic)
    }

    /// Takes the end of a read.
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

    /// Takes the end of a write.
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

    /// Takes a word of the device. One that was said before the write's end counts too.
    public mutating func heard(_ word: Word, _ effects: inout Effects) -> Progress {
        guard case .ask(_, _, let words)? = current?.action, words.contains(word) else { return .unrelated }
        return advance(&effects)
    }

    /// Takes the end of the time for a word.
    ///
    /// - Parameter isKnown: Whether what was asked for is known from elsewhere.
    public mutating func answerIsLate(isKnown: Bool = false, _ effects: inout Effects) -> Progress {
        guard case .ask? = current?.action else { return .unrelated }
        if isKnown { return advance(&effects) }
        return stepFailed(OperationError(.timeout, "no answer in \(Self.text(answerTime))"), &effects)
    }

    /// Takes the end of the time for the whole.
    public func isLate() -> Progress {
        guard !isOver else { return .unrelated }
        return .failed(
            DeviceFailure(.handshake, "the \(wording.device) was not ready within \(Self.text(time))"))
    }

    /// Whether nothing is left to do.
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

    /// Judges a step that failed: the device wants a bond, the step does not matter, or it does.
    private mutating func stepFailed(_ error: OperationError, _ effects: inout Effects) -> Progress {
        guard let step = current else { return .unrelated }
        if error.code == .notPermitted, !(isBonded && step.isOptional) { return .failed(wording.unbonded) }
        guard step.isOptional else {
            return .failed(DeviceFailure(.handshake, "\(step.action) failed: \(error)"))
        }
        effects.remark(.info, "\(step.action) failed and is left out: \(error)")
        return advance(&effects)
    }

    private static func text(_ time: Duration) -> String { "\(Int(time / .seconds(1))) s" }
}
