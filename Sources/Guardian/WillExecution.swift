import Bluetooth
package import BridgeContract

/// Decides the next step until every write of a will is confirmed. A value without side effects.
///
/// The execution runs in rounds. A round first makes the writes, in order, starting at the first unconfirmed write,
/// because their order can matter. It then reads back the values that only a read confirms, and pauses.
package struct WillExecution: Hashable, Sendable {
    /// What the caller must do next.
    enum Step: Hashable, Sendable {
        /// Make these writes, all at once and in this order, and report the result of each.
        case write(Range<Int>)
        /// Read back the values of these writes, and report the result of each.
        case read([Int])
        case wait(until: Duration)
        /// The execution has ended with this outcome.
        case done(Outcome)
    }

    /// What bluetoothd answered to a write or a read.
    enum Reply: Hashable, Sendable {
        /// The write was acknowledged or accepted.
        case done
        /// The read returned this value.
        case value([UInt8])
        /// The device has no link, or is unknown to bluetoothd.
        case absent
        /// The operation failed for this reason and can be retried.
        case refused(String)
        /// The operation can never succeed, for this reason.
        case impossible(String)
    }

    /// How an execution ended.
    package enum Outcome: Hashable, Sendable {
        /// Every write is confirmed.
        case confirmed
        /// The device has no link.
        case absent
        /// The execution ended without a confirmation; contains the reason of the last failure.
        case unconfirmed(String)
    }

    private enum Phase: Hashable {
        case writing
        case reading([Int], writtenUpTo: Int)
        case pausing(until: Duration)
        case done(Outcome)
    }

    /// The first pause; each further pause is twice as long.
    static let firstPause = Duration.milliseconds(10)
    /// The longest pause: the maximum time that a device may still move after bluetoothd accepts writes again.
    static let longestPause = Duration.milliseconds(50)
    /// The pause between rounds after the time for the execution is over.
    static let latePause = Duration.seconds(1)

    let writes: [LinkWill.Write]
    /// When the time for the execution is over.
    let end: Duration
    /// Whether the execution continues after its time limit, at longer intervals.
    let goesOn: Bool

    private var phase = Phase.writing
    /// How many writes are confirmed, counted from the first one without a gap.
    private var confirmed = 0
    private var failures = 0
    private var reason = "no answer"
    private var impossible: String?

    /// - Parameters:
    ///   - writes: The writes.
    ///   - end: When the time for the execution is over.
    ///   - goesOn: Whether the execution continues after its time limit, at longer intervals.
    package init(_ writes: [LinkWill.Write], end: Duration, goesOn: Bool = false) {
        self.writes = writes
        self.end = end
        self.goesOn = goesOn
        if writes.isEmpty { phase = .done(.confirmed) }
    }

    /// The reason of the last failure; nil if no attempt has failed.
    var complaint: String? { failures > 0 ? reason : nil }

    mutating func next(at now: Duration) -> Step {
        if case .pausing(let moment) = phase, moment <= now { phase = .writing }
        switch phase {
        case .writing: return .write(confirmed..<writes.count)
        case .reading(let indices, _): return .read(indices)
        case .pausing(let moment): return .wait(until: moment)
        case .done(let outcome): return .done(outcome)
        }
    }

    /// Handles the results of the writes requested by ``next(at:)``.
    mutating func written(_ replies: [Reply], at now: Duration) {
        guard case .writing = phase else { return }
        var upTo = confirmed
        var isWhole = true
        for reply in replies {
            switch reply {
            case .absent: return phase = .done(.absent)
            case .refused(let words):
                if isWhole { reason = words }
                isWhole = false
            case .impossible(let words): impossible = words
            case .done, .value: break
            }
            if isWhole { upTo += 1 }
        }
        let readable = (confirmed..<upTo).filter { index in
            guard writes[index].isReadBack, case .done = replies[index - confirmed] else { return false }
            return true
        }
        phase = .reading(readable, writtenUpTo: upTo)
        if readable.isEmpty { settle(upTo, at: now) }
    }

    /// Handles the results of the reads requested by ``next(at:)``.
    mutating func read(_ replies: [Reply], at now: Duration) {
        guard case .reading(let indices, let upTo) = phase else { return }
        for (index, reply) in zip(indices, replies) {
            switch reply {
            case .value(writes[index].value): continue
            case .absent: return phase = .done(.absent)
            // The write was accepted, and reading the value back can never succeed, so the write counts as confirmed.
            case .impossible: continue
            case .value: reason = "\(writes[index].path) reads back a different value"
            case .refused(let words): reason = words
            case .done: reason = "\(writes[index].path) reads back no value"
            }
            return settle(index, at: now)
        }
        settle(upTo, at: now)
    }

    private mutating func settle(_ count: Int, at now: Duration) {
        confirmed = count
        guard count < writes.count else {
            return phase = .done(impossible.map { .unconfirmed($0) } ?? .confirmed)
        }
        failures += 1
        guard now < end || goesOn else { return phase = .done(.unconfirmed(reason)) }
        let pause = now < end ? Self.pause(failures) : Self.latePause
        phase = .pausing(until: now + pause)
    }

    private static func pause(_ number: Int) -> Duration {
        min(firstPause * (1 << min(number - 1, 8)), longestPause)
    }
}
