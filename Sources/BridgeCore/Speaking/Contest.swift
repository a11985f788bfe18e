/// How often this bridge has said lately that it speaks for a device, against others that say the same: seldom enough
/// that two that cannot agree do not keep the broker busy.
struct Contest: Sendable {
    /// What follows from the link having proved itself.
    enum Verdict: Hashable, Sendable {
        /// Say so: a claimant that answers in turn has a link too.
        case say
        /// Both have said so twice: the younger link lets go, and the older one says so once more.
        case compareAge
    }

    /// How often it is said within the window.
    static let limit = 3
    static let window = Duration.seconds(10)

    private var sayings: [Duration] = []

    /// Whether it may be said now; if so, that is counted.
    mutating func maySay(at now: Duration) -> Bool {
        forget(before: now)
        guard sayings.count < Self.limit else { return false }
        sayings.append(now)
        return true
    }

    /// When it may be said again.
    var next: Duration? { sayings.count < Self.limit ? nil : sayings.first.map { $0 + Self.window } }

    /// What to do now that the link has proved itself against a claim.
    mutating func verdict(at now: Duration) -> Verdict {
        forget(before: now)
        return sayings.count < Self.limit - 1 ? .say : .compareAge
    }

    private mutating func forget(before now: Duration) {
        sayings.removeAll { now - $0 >= Self.window }
    }
}
