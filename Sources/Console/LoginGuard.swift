/// Slows down those who guess: five failed logins a minute from an address, and fifty from all together.
package struct LoginGuard {
    static let limits = (each: 5, all: 50)
    static let period = Duration.seconds(60)

    private var failures: [(peer: String, time: Duration)] = []

    package init() {}

    /// Whether an address may try.
    package mutating func admits(_ peer: String, at now: Duration) -> Bool {
        failures.removeAll { now - $0.time >= Self.period }
        return failures.count < Self.limits.all
            && failures.count(where: { $0.peer == peer }) < Self.limits.each
    }

    /// Notes that a login failed.
    package mutating func fail(_ peer: String, at now: Duration) { failures.append((peer, now)) }

    /// Takes back the newest failure of an address, which was none.
    package mutating func forgive(_ peer: String) {
        if let last = failures.lastIndex(where: { $0.peer == peer }) { failures.remove(at: last) }
    }
}

extension [UInt8] {
    /// Whether two secrets are the same; takes as long whichever byte differs.
    package func isSame(as other: [UInt8]) -> Bool {
        guard count == other.count else { return false }
        return zip(self, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
