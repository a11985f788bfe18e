/// The delays between attempts to connect: they increase, are randomized, and attempts never stop.
///
/// Each delay is random, between half of a ceiling and the ceiling. The ceiling starts at 1 s and doubles after each
/// failure, up to 30 s. This prevents many bridges from reconnecting to a restarted broker at the same moment. The
/// first attempt at another broker is made after 0.1 to 0.2 s.
struct Backoff {
    /// The kinds of delay before the next attempt, by the location of the broker and the reason of the last failure.
    enum Pace {
        /// A broker on this host: a failed attempt costs nothing, and the bridge has to reconnect within 2 s.
        case local
        /// A broker across a network.
        case remote
        /// A broker other than the broker whose connection was lost. It is probably running, so the delay only spreads
        /// the reconnects of its clients.
        case other
        /// A broker that rejected the client for a reason that only the broker's operator can change.
        case refused
        /// Another client probably uses the same client id: two clients that reconnect immediately would close each
        /// other's connections many times a second.
        case takenOver

        /// The pace after a failure that gives no reason for a longer delay.
        static func usual(isLocal: Bool) -> Pace { isLocal ? .local : .remote }
    }

    private var failures = 0

    /// Returns the next delay; `random` is at least 0 and less than 1.
    mutating func next(_ pace: Pace, random: Double) -> Duration {
        let ceiling = ceiling(for: pace)
        failures += 1
        return .seconds(ceiling / 2 + ceiling / 2 * random)
    }

    /// Resets to the shortest delay after the broker accepted a connection, even if the connection ended soon. So the
    /// client reconnects within 2 s after each of several restarts of the broker.
    mutating func connected() { failures = 0 }

    private func ceiling(for pace: Pace) -> Double {
        let doubled = Double(1 << min(failures, 5))
        switch pace {
        case .local: return min(doubled, 1.5)
        case .remote: return min(doubled, 30)
        case .other: return failures == 0 ? 0.2 : min(doubled, 30)
        case .refused: return min(max(doubled, 8), 30)
        case .takenOver: return 5
        }
    }
}
