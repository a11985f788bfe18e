/// Says how long to wait before the next attempt to connect: longer each time, jittered, without end.
///
/// Each wait lies between half of a ceiling and the ceiling, which doubles from 1 s on; so waits go from 0.5 s
/// to 30 s, and many bridges do not return to a restarted broker in step. The first attempt to reach another broker is made
/// after 0.1 to 0.2 s.
struct Backoff {
    /// How gently a broker has to be asked again.
    enum Pace {
        /// A broker on this host: a refused attempt costs nothing, and it is needed back within 2 s.
        case local
        /// A broker across a network.
        case remote
        /// Another broker than the one that was lost, which may be there: only what all of its clients do at once is spread.
        case other
        /// A broker that refused us for a reason that only its operator can change.
        case refused
        /// Another client probably has our id: two clients that reconnect at once would end each other's connections
        /// many times a second.
        case takenOver

        /// The pace for a broker that may be back at any time.
        static func usual(isLocal: Bool) -> Pace { isLocal ? .local : .remote }
    }

    private var failures = 0

    /// Gives the next wait; `random` is drawn from 0 up to but not including 1.
    mutating func next(_ pace: Pace, random: Double) -> Duration {
        let ceiling = ceiling(for: pace)
        failures += 1
        return .seconds(ceiling / 2 + ceiling / 2 * random)
    }

    /// Starts again with the shortest wait after a connection that the broker accepted, however long it lasted: a broker
    /// that restarts several times is found within 2 s each time.
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
