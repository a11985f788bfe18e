import Bluetooth
package import BridgeContract

/// Says how the writes of a will go on until each of them is confirmed: a pure value.
///
/// It goes in rounds. A round makes the writes, in order, from the first one that is not confirmed on, because their
/// order can matter; then it reads back those that can be; then it pauses.
package struct WillExecution: Hashable, Sendable {
    /// What is to be done next.
    enum Step: Hashable, Sendable {
        /// Make these writes, all at once and in this order, and tell what came of each.
        case write(Range<Int>)
        /// Read what these writes wrote, and tell what came of each.
        case read([Int])
        case wait(until: Duration)
        /// Nothing.
        case done(Outcome)
    }

    /// What came of a write or a read.
    enum Reply: Hashable, Sendable {
        /// The write was acknowledged or taken.
        case done
        /// The read gave this.
        case value([UInt8])
        /// There is no link, or no such device.
        case absent
        /// It did not work now.
        case refused(String)
        /// It will never work.
        case impossible(String)
    }

    /// How it ended.
    package enum Outcome: Hashable, Sendable {
        /// Every write is confirmed.
        case confirmed
        /// The device has no link any more.
        case absent
        /// It was given up, with the last reason.
        case unconfirmed(String)
    }

    private enum Phase: Hashable {
        case writing
        case reading([Int], writtenUpTo: Int)
        case pausing(until: Duration)
        case done(Outcome)
    }

    /// The first pause; each one is twice as long as the one before.
    static let firstPause = Duration.milliseconds(10)
    /// The longest pause: how long a device may move on at most after bluetoothd takes writes again.
    static let longestPause = Duration.milliseconds(50)
    /// The pause of one that goes on after its time.
    static let latePause = Duration.seconds(1)

    let writes: [LinkWill.Write]
    /// When its time is up.
    let end: Duration
    /// Whether it goes on then, at longer intervals.
    let goesOn: Bool

    private var phase = Phase.writing
    /// How many of the writes are confirmed, from the first on.
    private var confirmed = 0
    private var failures = 0
    private var reason = "no answer"
    private var impossible: String?

    /// - Parameters:
    ///   - writes: The writes.
    ///   - end: When its time is up.
    ///   - goesOn: Whether it goes on then, at longer intervals.
    package init(_ writes: [LinkWill.Write], end: Duration, goesOn: Bool = false) {
        self.writes = writes
        self.end = end
        self.goesOn = goesOn
        if writes.isEmpty { phase = .done(.confirmed) }
    }

    /// Why it is not done: what came of the last try; nil if none has failed.
    var complaint: String? { failures > 0 ? reason : nil }

    /// What is to be done now.
    mutating func next(at now: Duration) -> Step {
        if case .pausing(let moment) = phase, moment <= now { phase = .writing }
        switch phase {
        case .writing: return .write(confirmed..<writes.count)
        case .reading(let indices, _): return .read(indices)
        case .pausing(let moment): return .wait(until: moment)
        case .done(let outcome): return .done(outcome)
        }
    }

    /// Takes what came of the writes that ``next(at:)`` named.
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

    /// Takes what came of the reads that ``next(at:)`` named.
    mutating func read(_ replies: [Reply], at now: Duration) {
        guard case .reading(let indices, let upTo) = phase else { return }
        for (index, reply) in zip(indices, replies) {
            switch reply {
            case .value(writes[index].value): continue
            case .absent: return phase = .done(.absent)
            // It could be written: that is all that can be known.
            case .impossible: continue
            case .value: reason = "\(writes[index].path) reads back otherwise than it was written"
            case .refused(let words): reason = words
            case .done: reason = "\(writes[index].path) reads back nothing"
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
