import DeviceKit
import JSON

// The emergency stop and its latch: the robot is stopped first, and then the disk keeps it.
extension RobotMachine {
    /// Whether the emergency stop is set.
    var isLatched: Bool { latch.state == .latched }

    /// Sets the emergency stop, whether the robot is there or not.
    mutating func stopForEmergency(_ id: CommandID, _ effects: inout Effects) {
        latch.state = .latched
        latch.stops.append(.init(id: id, deadline: now + RobotEmergencyLatch.patience))
        if phase == .online {
            stop(.emergencyStop, for: id, &effects)
        } else {
            note(.emergencyStop, &effects)
            // Power is off on every connection until it is switched on by command, which releases the stop.
            answerProven([id], .kept, &effects)
        }
        keepLatched(&effects)
        armLatchTimer(&effects)
    }

    /// Answers commands whose outcome the robot has proved; an emergency stop waits for the disk too.
    mutating func answerProven(_ ids: [CommandID], _ answer: Answer, _ effects: inout Effects) {
        for id in ids {
            guard let index = latch.stops.firstIndex(where: { $0.id == id }) else {
                effects.answer(id, answer)
                continue
            }
            latch.stops[index].outcome = answer
        }
        answerStops(&effects)
    }

    /// Answers the emergency stops of which robot and disk have told.
    private mutating func answerStops(_ effects: inout Effects) {
        for stop in latch.stops {
            guard let outcome = stop.outcome, let keeping = stop.keeping else { continue }
            effects.answer(stop.id, Self.answer(outcome, keeping))
        }
        latch.stops.removeAll { $0.outcome != nil && $0.keeping != nil }
    }

    private static func answer(_ outcome: Answer, _ keeping: RobotEmergencyLatch.Keeping) -> Answer {
        switch (outcome, keeping) {
        case (.ok(var members), .kept):
            members[RobotFamily.latchAnswer.name] = "kept"
            return .ok(members)
        case (.ok(var members), .notKept(let reason)):
            members[RobotFamily.latchAnswer.name] = "not_kept"
            members[RobotFamily.latchReasonAnswer.name] = .string(reason)
            return .ok(members)
        case (.failed, .kept): return outcome
        case (.failed(let error), .notKept(let reason)):
            return .failed(
                error.code, "\(error.message); the emergency stop is not kept over a restart: \(reason)")
        }
    }

    // MARK: The disk

    private mutating func keepLatched(_ effects: inout Effects) {
        guard let underWay = latch.underWay else {
            latch.underWay = true
            return effects.append(.latch(true))
        }
        if !underWay { latch.isDue = true }
    }

    /// Takes what became of a change on the disk.
    mutating func latchKept(_ isSet: Bool, failure: String?, _ effects: inout Effects) {
        latch.underWay = nil
        if isSet {
            latchedKept(failure, &effects)
        } else if let failure {
            refuseRelease(failure, &effects)
        } else if latch.isDue {
            // An emergency stop came meanwhile.
        } else if latch.releaseDeadline != nil || latch.state == .unconfirmed {
            (latch.state, latch.releaseDeadline, latch.isReleased) = (.clear, nil, true)
            switchPowerOn(&effects)
        } else {
            // Too late: the command was refused, so that what it wanted to release holds.
            latch.isDue = latch.state == .latched
        }
        if latch.isDue {
            latch.isDue = false
            keepLatched(&effects)
        } else if latch.releaseDeadline != nil {
            clearOnDisk(&effects)
        }
        armLatchTimer(&effects)
    }

    private mutating func latchedKept(_ failure: String?, _ effects: inout Effects) {
        for index in latch.stops.indices where latch.stops[index].keeping == nil {
            latch.stops[index].keeping = failure.map { .notKept($0) } ?? .kept
        }
        answerStops(&effects)
        if let failure {
            if !latch.isUnkept {
                effects.remark(.warning, "the emergency stop is not kept over a restart: \(failure)")
            }
            effects.startTimer(Self.latchRetryTimer, after: RobotEmergencyLatch.pause)
        } else if latch.isUnkept {
            effects.remark(.info, "the emergency stop is kept over a restart after all")
        }
        latch.isUnkept = failure != nil
    }

    /// Writes an emergency stop again that the disk did not take.
    mutating func keepLatchAgain(_ effects: inout Effects) {
        guard isLatched, latch.isUnkept else { return }
        keepLatched(&effects)
    }

    /// Sees to it that no answer waits longer for the disk than it may.
    private mutating func armLatchTimer(_ effects: inout Effects) {
        guard let deadline = latch.nextDeadline else { return effects.cancelTimer(Self.latchTimer) }
        effects.startTimer(Self.latchTimer, after: max(.zero, deadline - now))
    }

    /// An answer has waited for the disk for as long as it may.
    mutating func latchIsLate(_ effects: inout Effects) {
        for index in latch.stops.indices
        where latch.stops[index].keeping == nil && latch.stops[index].deadline <= now {
            latch.stops[index].keeping = .notKept(RobotEmergencyLatch.lateness)
            effects.remark(
                .warning, "an emergency stop is answered before it is kept: \(RobotEmergencyLatch.lateness)")
        }
        answerStops(&effects)
        if let deadline = latch.releaseDeadline, deadline <= now {
            refuseRelease(RobotEmergencyLatch.lateness, &effects)
        }
        armLatchTimer(&effects)
    }

    /// The link is gone: what waited for the disk is answered as it stands.
    mutating func endLatchAnswers(_ effects: inout Effects) {
        for index in latch.stops.indices where latch.stops[index].keeping == nil {
            latch.stops[index].keeping = .notKept("the link was lost before the disk confirmed it")
        }
        answerStops(&effects)
    }

    // MARK: Releasing

    /// Whether the power may come: where the latch is not clear, it is cleared on the disk first.
    mutating func isReleased(_ effects: inout Effects) -> Bool {
        if latch.state == .clear { return true }
        guard latch.releaseDeadline == nil else { return false }
        latch.releaseDeadline = now + RobotEmergencyLatch.patience
        clearOnDisk(&effects)
        armLatchTimer(&effects)
        return false
    }

    private mutating func clearOnDisk(_ effects: inout Effects) {
        guard latch.underWay == nil else { return }
        latch.underWay = false
        effects.append(.latch(false))
    }

    private mutating func refuseRelease(_ reason: String, _ effects: inout Effects) {
        guard latch.releaseDeadline != nil else { return }
        latch.releaseDeadline = nil
        let commands = powerWaiting ?? []
        powerWaiting = nil
        let words = "the power stays off, since the release of the emergency stop cannot be kept: \(reason)"
        effects.remark(.warning, words)
        for id in commands { effects.answer(id, .failed(.internal, words)) }
    }

    // MARK: What the broker had in store

    /// A status that a bridge has left at the broker: an emergency stop in it holds.
    mutating func recalled(_ status: JSON.Value, _ effects: inout Effects) {
        guard status[RobotFamily.status.names.said(\.isEmergencyStopSet)]?.bool == true, !isLatched,
            !latch.isReleased
        else { return }
        effects.remark(
            .warning,
            "the status at the broker says that the emergency stop is set: it holds until power/set on")
        latch.state = .latched
        if phase == .online { stop(.emergencyStop, &effects) }
        keepLatched(&effects)
    }

    /// Switches the power on without a command, where that is wanted, nothing blocks motion, the latch allows it, and
    /// all that the broker had in store is known.
    mutating func powerOnConnect(_ effects: inout Effects) {
        guard latch.awaitsPower, isCleared, !latch.isRecalling, phase == .online else { return }
        latch.awaitsPower = false
        switch latch.state {
        case .latched: break
        case .unconfirmed: effects.remark(.warning, Self.unconfirmed)
        case .clear:
            powerWaiting = powerWaiting ?? []
            switchPowerOn(&effects)
        }
    }

    private static let unconfirmed =
        "power_on_connect does not act, since it is not known whether an emergency stop was set: power/set on "
        + "confirms that there is none"

    /// Why there is no power, and what gives it.
    var powerAdvice: String {
        switch latch.state {
        case .latched: "the emergency stop is set; power/set on releases it"
        case .unconfirmed where powersOnConnect: "the power is off; \(Self.unconfirmed)"
        case .unconfirmed, .clear: "the power is off: power/set on"
        }
    }
}
