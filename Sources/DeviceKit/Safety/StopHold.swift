/// Says how long a stop holds against a joystick: until no command that moves has arrived for a while.
///
/// The while is 500 ms, or the longest lease that arrived shortly before the stop or since, if that is longer: a sender
/// of one command a second with leases of two seconds has let go only after two seconds.
struct StopHold: Hashable, Sendable {
    /// The shortest time without a command that moves.
    static let shortest = Duration.milliseconds(500)
    /// How long before a stop a lease counts.
    static let memory = Duration.seconds(5)

    /// A stop that holds.
    struct Active: Hashable, Sendable {
        var cause: MotionStop
        /// How long nothing that moves must arrive.
        var quiet: Duration
        /// From when on that is counted.
        var since: Duration
    }

    private struct Lease: Hashable, Sendable {
        var arrival: Duration
        var length: Duration
    }

    private(set) var active: Active?
    /// The leases of late, each longer than all after it.
    private var leases: [Lease] = []

    /// Takes note of a command that moves, whether it is obeyed or not.
    mutating func noteMotion(_ lease: Duration, at arrival: Duration) {
        leases.removeAll { arrival - $0.arrival > Self.memory || $0.length <= lease }
        leases.append(Lease(arrival: arrival, length: lease))
        guard var stop = active else { return }
        stop.since = max(stop.since, arrival)
        stop.quiet = max(stop.quiet, lease)
        active = stop
    }

    mutating func stop(_ cause: MotionStop, at now: Duration) {
        let longest = leases.filter { now - $0.arrival <= Self.memory }.map(\.length).max() ?? .zero
        active = Active(
            cause: cause, quiet: max(Self.shortest, longest, active?.quiet ?? .zero), since: now)
    }

    /// When the stop ends if nothing that moves arrives, and the way is fresh since a moment; nil if none holds.
    func end(freshSince: Duration) -> Duration? { active.map { max($0.since, freshSince) + $0.quiet } }

    mutating func release() { active = nil }
}
