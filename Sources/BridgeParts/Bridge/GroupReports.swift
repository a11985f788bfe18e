/// The published states of groups, and when they may be published again.
package struct GroupReports: Sendable {
    /// The shortest time between two publications. Short patterns start and end several times a second.
    private static let interval = Duration.seconds(1)

    /// The groups whose state this run published.
    private var published: Set<String> = []
    /// The groups whose state an earlier run published and this run has not published yet.
    private var earlier: Set<String> = []
    /// The groups whose state was published, in this run or an earlier one, and no longer is.
    package private(set) var former: Set<String> = []
    /// Whether the state of a group may have changed since the last publication.
    package private(set) var areChanged = false
    private var next = Duration.zero
    private var pace = ReportPace()

    package init() {}

    /// The groups with a state on the broker. An earlier run's states stay until it is known which groups exist.
    package var current: Set<String> { published.union(earlier) }

    /// Sets the groups of which an earlier run published a state.
    package mutating func restore(_ groups: Set<String>) { earlier = groups }

    /// Drops the groups of an earlier run that no longer exist.
    ///
    /// - Returns: Whether there are any.
    package mutating func dropEarlier(besides groups: Set<String>) -> Bool {
        let gone = earlier.subtracting(groups)
        earlier.subtract(gone)
        former.formUnion(gone)
        return !gone.isEmpty
    }

    /// Records that the state of a group may have changed.
    package mutating func changed() { areChanged = true }

    /// Decides whether to publish the states now; nil if nothing has changed.
    package mutating func take(at now: Duration) -> BridgeReports.Step? {
        guard areChanged else { return nil }
        let start = max(next, pace.pause(at: now) ?? .zero)
        guard start <= now else { return .wait(until: start) }
        areChanged = false
        return .publish
    }

    /// Records the published groups, and the time that publishing took.
    ///
    /// - Returns: The groups whose state is no longer published, sorted.
    package mutating func publish(
        _ groups: Set<String>, from begin: Duration, to end: Duration
    ) -> [String] {
        let gone = published.subtracting(groups)
        former = former.union(gone).subtracting(groups)
        earlier.subtract(groups)
        published = groups
        next = begin + Self.interval
        // A state of a group does not grow with its members, so only the time counts.
        pace.published(0, from: begin, to: end)
        return gone.sorted()
    }

    /// Lets the next publication start immediately.
    package mutating func endPause() { (next, pace) = (.zero, ReportPace()) }
}
