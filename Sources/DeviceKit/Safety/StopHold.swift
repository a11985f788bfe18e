/// Says how long a stop holds against a joystick: until no command that moves has arrived for a while.
///
/// The while is 500 ms, or the longest lease that arrived shortly before the stop or since, if that is longer: a sender
/// of one command a second with leases of two seconds has let go only after two seconds.
///
/// The clock alone cannot tell that a while has passed without such a command: what was sent before the stop may arrive
/// later than that on a way that counts as fresh. An echo that was *sent* behind the while, and has come back, can: MQTT
/// keeps the order of messages of one quality of service, so nothing that was published before it is still to come.
struct StopHold: Hashable, Sendable {
    /// The shortest time without a command that moves.
    static let shortest = Duration.milliseconds(500)
    /// How long before a stop a lease counts.
    static let memory = Duration.seconds(5)

    struct Active: Hashable, Sendable {
        var cause: MotionStop
        /// How long nothing that moves must arrive.
        var quiet: Duration
        /// From when on that is counted.
        var since: Duration
        /// The end of the while for which an echo was asked for as its proof.
        var asked: Duration?
    }

    private struct Lease: Hashable, Sendable {
        var arrival: Duration
        var length: Duration
    }

    private(set) var active: Active?
    /// When the echo was sent that ended the last stop; a sender that read an older one may not know of the stop.
    private(set) var proof: Duration?
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

    /// - Parameter atLeast: The shortest time without a command that moves, where more is known than what arrived.
    mutating func stop(_ cause: MotionStop, at now: Duration, atLeast: Duration = Self.shortest) {
        let longest = leases.filter { now - $0.arrival <= Self.memory }.map(\.length).max() ?? .zero
        active = Active(
            cause: cause, quiet: max(atLeast, longest, active?.quiet ?? .zero), since: now)
        proof = nil
    }

    /// When the while is over if nothing that moves arrives, and the way is fresh since a moment; nil if no stop holds.
    func end(freshSince: Duration) -> Duration? { active.map { max($0.since, freshSince) + $0.quiet } }

    /// When an echo has to be sent as the proof; nil if none is needed, or was asked for.
    func proofDue(freshSince: Duration) -> Duration? {
        guard let end = end(freshSince: freshSince), active?.asked != end else { return nil }
        return end
    }

    /// Notes that an echo is sent as the proof.
    mutating func askForProof(freshSince: Duration) {
        let end = end(freshSince: freshSince)
        active?.asked = end
    }

    /// Ends the stop if the newest echo that came back proves that the while is over.
    mutating func release(freshSince: Duration, newest: Duration?) {
        guard let end = end(freshSince: freshSince), let newest, newest >= end else { return }
        (active, proof) = (nil, newest)
    }
}
