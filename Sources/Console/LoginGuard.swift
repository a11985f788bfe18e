/// Limits failed logins: five a minute from one address, and fifty a minute in total.
package struct LoginGuard {
    static let limits = (each: 5, all: 50)
    static let period = Duration.seconds(60)

    private var failures: [(peer: String, time: Duration)] = []

    package init() {}

    /// Returns whether a login from an address may be attempted.
    package mutating func admits(_ peer: String, at now: Duration) -> Bool {
        failures.removeAll { now - $0.time >= Self.period }
        return failures.count < Self.limits.all
            && failures.count(where: { $0.peer == peer }) < Self.limits.each
    }

    package mutating func fail(_ peer: String, at now: Duration) { failures.append((peer, now)) }

    /// Removes the newest failure of an address, because the login turned out to be successful.
    package mutating func forgive(_ peer: String) {
        if let last = failures.lastIndex(where: { $0.peer == peer }) { failures.remove(at: last) }
    }
}

extension [UInt8] {
    /// Whether two secrets are equal, compared in constant time.
    package func isSame(as other: [UInt8]) -> Bool {
        guard count == other.count else { return false }
        return zip(self, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
