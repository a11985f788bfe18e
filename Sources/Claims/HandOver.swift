package import DeviceKit
package import JSON

/// What a device was doing at another bridge, until this one takes it up: pure.
///
/// It is taken up while it is young: a person who was led somewhere a while ago has gone on without. A stop that came
/// after it, or a newer command, ends it.
package struct HandOver: Sendable {
    /// What becomes of it when this bridge has the device.
    package enum Outcome: Hashable, Sendable {
        /// There is nothing to take up.
        case nothing
        /// Each feature gets this value as a command, which counts as having arrived at this time.
        case resume([String: JSON.Value], arrival: Duration)
        /// It is too old.
        case lapsed([String])
    }

    /// The end of a link, as its bridge tells it.
    private struct End: Hashable {
        let bridge: String
        let since: String

        init?(_ claim: Claim) {
            guard claim.state == .released, let since = claim.since else { return nil }
            (bridge, self.since) = (claim.bridge, since)
        }
    }

    private var intent: [String: JSON.Value] = [:]
    private var heardAt = Duration.zero
    /// Since when no bridge holds the device, as far as is known; nil while one does.
    private var endedAt: Duration?
    /// The end that ``endedAt`` is of: a claim that is said again ends nothing anew.
    private var end: End?

    package init() {}

    /// Another bridge says what the device does there.
    package mutating func heard(
        _ claim: Claim, _ value: [String: JSON.Value], at now: Duration, date: TimeStamp
    ) {
        let known = end != nil && end == End(claim) ? endedAt : nil
        (intent, heardAt, endedAt, end) = (value, now, nil, End(claim))
        guard claim.state == .released || claim.isStored else { return }
        guard claim.isStored else { return endedAt = known ?? now }
        // How long ago the bridge that has gone said so, only calendars tell; a bridge that still has it says so anew.
        guard claim.state == .released, let since = claim.since.flatMap({ TimeStamp($0) }), since <= date
        else {
            (intent, end) = ([:], nil)
            return
        }
        endedAt = now - .milliseconds(date.milliseconds - since.milliseconds)
    }

    /// The bridge that had the device is dead.
    package mutating func holderDied(at now: Duration) { endedAt = endedAt ?? now }

    /// A newer command came, or the device is this bridge's.
    package mutating func cancel() { intent = [:] }

    /// This bridge has the device.
    ///
    /// - Parameter life: How old what the device was doing may be; nil if it is never taken up.
    package mutating func take(life: Duration?, at now: Duration) -> Outcome {
        defer { intent = [:] }
        guard !intent.isEmpty, let life else { return .nothing }
        guard now - (endedAt ?? now) <= life else { return .lapsed(intent.keys.sorted()) }
        return .resume(intent, arrival: heardAt)
    }
}
