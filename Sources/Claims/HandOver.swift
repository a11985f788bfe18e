package import DeviceKit
package import JSON

/// Keeps the activity that a device had on another bridge, until this bridge resumes it: a pure state machine.
///
/// The activity is resumed only if it is recent. A user whom the device guided a while ago has continued without
/// guidance. A later stop or command cancels the activity.
package struct HandOver: Sendable {
    /// What this bridge does with the activity when it has connected to the device.
    package enum Outcome: Hashable, Sendable {
        /// The device had no activity that this bridge could continue.
        case nothing
        /// Send each feature its value as a command. The arrival time of the commands is that of the claim.
        case resume([String: JSON.Value], arrival: Duration)
        /// The activity of these features is too old to be continued.
        case lapsed([String])
    }

    /// The end of a link, as reported in the claim of the bridge that had the link.
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
    /// When the last link ended, as far as known; nil while a bridge has a link.
    private var endedAt: Duration?
    /// The link that ended at ``endedAt``. If its bridge repeats the claim, ``endedAt`` stays the same.
    private var end: End?

    package init() {}

    /// Records the activity that another bridge reports.
    package mutating func heard(
        _ claim: Claim, _ value: [String: JSON.Value], at now: Duration, date: TimeStamp
    ) {
        let known = end != nil && end == End(claim) ? endedAt : nil
        (intent, heardAt, endedAt, end) = (value, now, nil, End(claim))
        guard claim.state == .released || claim.isStored else { return }
        guard claim.isStored else { return endedAt = known ?? now }
        // For a retained claim, only the date in it shows how long ago the link ended. A bridge that still has the link
        // repeats its claim, so a retained claim of a link is not used.
        guard claim.state == .released, let since = claim.since.flatMap({ TimeStamp($0) }), since <= date
        else {
            (intent, end) = ([:], nil)
            return
        }
        endedAt = now - .milliseconds(date.milliseconds - since.milliseconds)
    }

    /// Records that the bridge that had the device is offline.
    package mutating func holderDied(at now: Duration) { endedAt = endedAt ?? now }

    /// Cancels the activity, because of a newer command, or because the device did not come from another bridge.
    package mutating func cancel() { intent = [:] }

    /// Removes the activity and decides what to do with it, because this bridge has the device now.
    ///
    /// - Parameter life: The maximum age of the activity; nil if it is never resumed.
    package mutating func take(life: Duration?, at now: Duration) -> Outcome {
        defer { intent = [:] }
        guard !intent.isEmpty, let life else { return .nothing }
        guard now - (endedAt ?? now) <= life else { return .lapsed(intent.keys.sorted()) }
        return .resume(intent, arrival: heardAt)
    }
}
