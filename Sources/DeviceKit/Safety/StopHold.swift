/// Decides how long a stop blocks a joystick: until no command that moves has arrived for a quiet period.
///
/// The quiet period is 500 ms or, if longer, the longest lease of the commands that arrived shortly before the stop or
/// since. For example, if a sender sends one command a second with leases of two seconds, only two seconds without a
/// command show that the user has released the joystick.
///
/// The clock alone cannot prove the quiet period: commands that were sent before the stop can arrive later, even on a
/// path that counts as fresh. The proof is an echo that was *sent* after the quiet period and has come back. MQTT
/// preserves the order of messages with equal quality of service, so no older message can still arrive.
struct StopHold: Hashable, Sendable {
    /// The minimum length of the quiet period.
    static let shortest = Duration.milliseconds(500)
    /// Leases of commands count if the commands arrived at most this long before the stop.
    static let memory = Duration.seconds(5)

    struct Active: Hashable, Sendable {
        var cause: MotionStop
        /// The length of the quiet period.
        var quiet: Duration
        /// The start of the quiet period.
        var since: Duration
        /// The end of the quiet period that an already requested echo is to prove; nil if no echo was requested.
        var asked: Duration?
    }

    private struct Lease: Hashable, Sendable {
        var arrival: Duration
        var length: Duration
    }

    private(set) var active: Active?
    /// The time at which the bridge sent the echo whose return ended the last stop. A sender that has read only older
    /// echoes may not know of the stop.
    private(set) var proof: Duration?
    /// The leases of the most recent commands. Each lease is longer than all later leases.
    private var leases: [Lease] = []

    /// Records a command that moves, whether it is obeyed or not.
    mutating func noteMotion(_ lease: Duration, at arrival: Duration) {
        leases.removeAll { arrival - $0.arrival > Self.memory || $0.length <= lease }
        leases.append(Lease(arrival: arrival, length: lease))
        guard var stop = active else { return }
        stop.since = max(stop.since, arrival)
        stop.quiet = max(stop.quiet, lease)
        active = stop
    }

    /// - Parameter atLeast: The minimum length of the quiet period. Callers pass more than the default if the bridge
    ///   may have missed commands with longer leases.
    mutating func stop(_ cause: MotionStop, at now: Duration, atLeast: Duration = Self.shortest) {
        let longest = leases.filter { now - $0.arrival <= Self.memory }.map(\.length).max() ?? .zero
        active = Active(
            cause: cause, quiet: max(atLeast, longest, active?.quiet ?? .zero), since: now)
        proof = nil
    }

    /// Returns the end of the quiet period if no command that moves arrives, given the time since which messages from
    /// the broker are not delayed; nil without an active stop.
    func end(freshSince: Duration) -> Duration? { active.map { max($0.since, freshSince) + $0.quiet } }

    /// Returns the time at which an echo must be sent as proof; nil if no echo is needed, or an echo was already
    /// requested.
    func proofDue(freshSince: Duration) -> Duration? {
        guard let end = end(freshSince: freshSince), active?.asked != end else { return nil }
        return end
    }

    /// Records that an echo is sent now to prove the end of the quiet period.
    mutating func askForProof(freshSince: Duration) {
        let end = end(freshSince: freshSince)
        active?.asked = end
    }

    /// Ends the stop if the newest returned echo proves that the quiet period is over.
    mutating func release(freshSince: Duration, newest: Duration?) {
        guard let end = end(freshSince: freshSince), let newest, newest >= end else { return }
        (active, proof) = (nil, newest)
    }
}
