/// Says how long to wait before the next attempt to connect: longer each time, jittered, without end.
///
/// Each wait lies between half of a ceiling and the ceiling, which doubles from 1 s on; so waits go from 0.5 s
/// to 30 s, and many bridges do not return to a restarted broker in step. The first attempt at another broker is made
/// after 0.1 to 0.2 s.
struct Backoff {
    /// How gently a broker has to be asked again.
    enum Pace {
        /// A broker on this host: a refused attempt costs nothing, and it is wanted back within 2 s.
        case local
        /// A broker across a network.
        case remote
        /// Another broker than the one that was lost, which may be there: only what all of its clients do at once is spread.
        case other
        /// A broker that refused us for a reason that only a person can change.
        case refused
        /// Another client took our session: two with one id would fight for ever.
        case takenOver
    }

    private var failures = 0
    private var takeovers = 0

    /// Gives the next wait; `random` is drawn from 0 up to but not including 1.
    mutating func next(_ pace: Pace, random: Double) -> Duration {
        if pace == .takenOver { takeovers += 1 }
        let ceiling = ceiling(for: pace)
        failures += 1
        return .seconds(ceiling / 2 + ceiling / 2 * random)
    }

    /// Starts anew after a connection that lasted for `duration`: one that broke at once was no success.
    mutating func connectionLasted(_ duration: Duration) {
        if duration >= .seconds(5) { failures = 0 }
        if duration >= .seconds(900) { takeovers = 0 }
    }

    private func ceiling(for pace: Pace) -> Double {
        let doubled = Double(1 << min(failures, 5))
        switch pace {
        case .local: return min(doubled, 1.5)
        case .remote: return min(doubled, 30)
        case .other: return failures == 0 ? 0.2 : min(doubled, 30)
        case .refused: return min(max(doubled, 8), 30)
        case .takenOver: return 60 * Double(1 << min(takeovers - 1, 3))
        }
    }
}
