/// The delays between attempts to connect: increasing, randomized and without a final attempt.
///
/// Each delay is between half of a ceiling and the ceiling, which starts at 1 s and doubles. So delays grow from 0.5 s
/// to 30 s, and many bridges do not reconnect to a restarted broker at the same moment. The first attempt at another
/// broker is made after 0.1 to 0.2 s.
struct Backoff {
    /// How often a broker may be contacted again.
    enum Pace {
        /// A broker on this host: a failed attempt costs nothing, and the bridge has to reconnect within 2 s.
        case local
        /// A broker across a network.
        case remote
        /// A broker other than the lost one, which is probably running; the delay only spreads the reconnects of its
        /// clients.
        case other
        /// A broker that rejected the client for a reason that only its operator can change.
        case refused
        /// Another client probably uses the same client id: two clients that reconnect immediately would close each
        /// other's connections many times a second.
        case takenOver

        /// The pace for a broker that may return at any time.
        static func usual(isLocal: Bool) -> Pace { isLocal ? .local : .remote }
    }

    private var failures = 0

    /// Returns the next delay; `random` is at least 0 and less than 1.
    mutating func next(_ pace: Pace, random: Double) -> Duration {
        let ceiling = ceiling(for: pace)
        failures += 1
        return .seconds(ceiling / 2 + ceiling / 2 * random)
    }

    /// Resets to the shortest delay after an accepted connection of any duration: a broker that restarts several times
    /// is found within 2 s each time.
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
