import DeviceKit
import JSON

/// The emergency stop: its state, its copy on disk, and the answers that wait for the disk.
struct RobotEmergencyLatch: Hashable, Sendable {
    /// An emergency stop, which is answered after both the robot and the disk have confirmed it.
    private struct Stop: Hashable {
        let id: CommandID
        /// The time at which the stop is answered even if the disk has not confirmed it.
        let deadline: Duration
        var outcome: Answer?
        var keeping: Keeping?
    }

    /// Whether the emergency stop is stored on disk, so that it survives a restart of the bridge.
    private enum Keeping: Hashable {
        case kept
        case notKept(String)
    }

    /// Which write to disk is in progress; there is at most one.
    private enum Disk: Hashable {
        case idle
        case setting
        /// The release of the emergency stop is being written. `isSetDue`: a newer emergency stop must be written next.
        case clearing(isSetDue: Bool)
    }

    /// What happens to a power command that waits until the release of the emergency stop is on disk.
    enum Release: Hashable, Sendable {
        case unchanged
        case done
        case refused(String)
    }

    static let timer: TimerName = "latch"
    static let retryTimer: TimerName = "latch_retry"
    /// How long the answer to a command waits for the disk.
    private static let patience = Duration.seconds(2)
    /// How long after a failed write of an emergency stop to disk the write is repeated.
    private static let pause = Duration.seconds(5)
    private static let lateness = "the disk did not confirm it within 2 s"

    private(set) var state: Latch
    private var disk = Disk.idle
    /// Whether writing the last emergency stop to disk failed.
    private var isUnkept = false
    private var stops: [Stop] = []
    /// When waiting commands that switch the power on are refused, if the release of the emergency stop is not on disk
    /// by then; nil if none waits.
    private var releaseDeadline: Duration?
    /// Whether the emergency stop was released during this link.
    private var isReleased = false
    /// Whether the broker may still have a retained status that contains an emergency stop.
    var isRecalling = true

    init(_ state: Latch) { self.state = state }

    /// Sets the emergency stop, because a command requests it.
    mutating func set(_ id: CommandID, at now: Duration) {
        state = .latched
        stops.append(Stop(id: id, deadline: now + Self.patience))
    }

    /// Sets the emergency stop, because a retained status that a bridge published reports it.
    ///
    /// - Returns: Whether this changes anything.
    mutating func recall() -> Bool {
        guard state != .latched, !isReleased else { return false }
        state = .latched
        return true
    }

    /// Answers commands that the robot has confirmed. The answer to an emergency stop also waits for the disk.
    mutating func answer(_ ids: [CommandID], _ answer: Answer, _ effects: inout Effects) {
        for id in ids {
            if let index = stops.firstIndex(where: { $0.id == id }) {
                stops[index].outcome = answer
            } else {
                effects.answer(id, answer)
            }
        }
        answerStops(&effects)
    }

    private mutating func answerStops(_ effects: inout Effects) {
        stops.removeAll { stop in
            guard let outcome = stop.outcome, let keeping = stop.keeping else { return false }
            effects.answer(stop.id, Self.answer(outcome, keeping))
            return true
        }
    }

    private static func answer(_ outcome: Answer, _ keeping: Keeping) -> Answer {
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
                error.code, "\(error.message); the emergency stop would not survive a restart: \(reason)")
        }
    }

    /// Records, for the emergency stops that wait for the disk, whether they are stored.
    private mutating func settle(
        _ keeping: Keeping, _ effects: inout Effects, where condition: (Stop) -> Bool = { _ in true }
    ) {
        for index in stops.indices where stops[index].keeping == nil && condition(stops[index]) {
            stops[index].keeping = keeping
        }
        answerStops(&effects)
    }

    // MARK: Disk

    /// Writes an emergency stop to disk.
    mutating func keep(at now: Duration, _ effects: inout Effects) {
        switch disk {
        case .idle:
            disk = .setting
            effects.append(.latch(true))
        case .setting: break
        case .clearing: disk = .clearing(isSetDue: true)
        }
        armTimer(at: now, &effects)
    }

    /// Repeats a failed write of an emergency stop.
    mutating func keepAgain(at now: Duration, _ effects: inout Effects) {
        if state == .latched, isUnkept { keep(at: now, &effects) }
    }

    /// Handles the result of a write to disk.
    mutating func kept(
        _ isSet: Bool, failure: String?, at now: Duration, _ effects: inout Effects
    ) -> Release {
        var isSetDue = disk == .clearing(isSetDue: true)
        disk = .idle
        var release = Release.unchanged
        if isSet {
            setWasKept(failure, &effects)
        } else if let failure {
            release = refuse(failure)
        } else if isSetDue {
            // The newer emergency stop is written to disk below.
        } else if releaseDeadline != nil || state == .unconfirmed {
            (state, releaseDeadline, isReleased) = (.clear, nil, true)
            release = .done
        } else {
            // The disk confirmed the release after the power command was refused, so the emergency stop remains set.
            isSetDue = state == .latched
        }
        if isSetDue {
            keep(at: now, &effects)
        } else if releaseDeadline != nil {
            clear(&effects)
        }
        armTimer(at: now, &effects)
        return release
    }

    private mutating func setWasKept(_ failure: String?, _ effects: inout Effects) {
        settle(failure.map { .notKept($0) } ?? .kept, &effects)
        if let failure {
            if !isUnkept {
                effects.remark(.warning, "the emergency stop would not survive a restart: \(failure)")
            }
            effects.startTimer(Self.retryTimer, after: Self.pause)
        } else if isUnkept {
            effects.remark(.info, "the emergency stop is now stored and survives a restart")
        }
        isUnkept = failure != nil
    }

    private mutating func clear(_ effects: inout Effects) {
        guard disk == .idle else { return }
        disk = .clearing(isSetDue: false)
        effects.append(.latch(false))
    }

    /// Answers the commands that have waited too long for the disk.
    mutating func expired(at now: Duration, _ effects: inout Effects) -> Release {
        let late = stops.filter { $0.keeping == nil && $0.deadline <= now }
        for _ in late {
            effects.remark(.warning, "an emergency stop is answered before it is stored: \(Self.lateness)")
        }
        settle(.notKept(Self.lateness), &effects) { $0.deadline <= now }
        let isRefused = releaseDeadline.map { $0 <= now } ?? false
        let release = isRefused ? refuse(Self.lateness) : .unchanged
        armTimer(at: now, &effects)
        return release
    }

    private mutating func armTimer(at now: Duration, _ effects: inout Effects) {
        let deadlines = stops.filter { $0.keeping == nil }.map(\.deadline)
        guard let deadline = (deadlines + [releaseDeadline].compactMap { $0 }).min() else {
            return effects.cancelTimer(Self.timer)
        }
        effects.startTimer(Self.timer, after: max(.zero, deadline - now))
    }

    // MARK: Release

    /// Starts to clear the emergency stop. It is cleared on disk first.
    ///
    /// - Returns: Whether the power can be switched on now.
    mutating func release(at now: Duration, _ effects: inout Effects) -> Bool {
        if state == .clear { return true }
        guard releaseDeadline == nil else { return false }
        releaseDeadline = now + Self.patience
        clear(&effects)
        armTimer(at: now, &effects)
        return false
    }

    /// Cancels a release that waits for the disk, because a stop has arrived.
    mutating func cancelRelease() { releaseDeadline = nil }

    private mutating func refuse(_ reason: String) -> Release {
        guard releaseDeadline != nil else { return .unchanged }
        releaseDeadline = nil
        return .refused(reason)
    }

    /// Resets what is valid only for one link.
    mutating func linkEnded() { (releaseDeadline, isReleased) = (nil, false) }

    /// Answers the stops that wait for the disk, because the link is lost.
    mutating func linkLost(_ effects: inout Effects) {
        settle(.notKept("the link was lost before the disk confirmed it"), &effects)
    }
}
