import BridgeCore

/// Keeps the wills of the connected devices and knows which motions are over their deadline: a pure value.
struct WillBook: Sendable {
    /// How long after a deadline the bridge may still end the motion by itself.
    static let patience = Duration.milliseconds(120)

    private var wills: [String: LinkWill] = [:]
    /// The devices whose motion was ended at their deadline.
    private var ended: Set<String> = []

    /// Every will, those of devices that move first.
    var all: [LinkWill] {
        wills.values.sorted { ($0.isUrgent ? 0 : 1, $0.device) < ($1.isUrgent ? 0 : 1, $1.device) }
    }

    /// When the next motion is over its deadline; nil if none is to be watched.
    var nextAlarm: Duration? { wills.values.compactMap(alarm).min() }

    private func alarm(_ will: LinkWill) -> Duration? {
        guard !will.deadlineWrites.isEmpty, !ended.contains(will.device) else { return nil }
        return will.deadline.map { $0 + Self.patience }
    }

    /// Takes a will.
    ///
    /// - Returns: Whether what would be written for a dead bridge changed.
    mutating func keep(_ will: LinkWill) -> Bool {
        let former = wills.updateValue(will, forKey: will.device)
        if former?.deadline != will.deadline { ended.remove(will.device) }
        return former?.writes != will.writes || former?.isUrgent != will.isUrgent
    }

    /// Forgets a device.
    ///
    /// - Returns: Whether there was anything to be forgotten.
    mutating func release(device: String) -> Bool {
        ended.remove(device)
        return wills.removeValue(forKey: device) != nil
    }

    /// The wills whose deadline the bridge has let pass, those that move first; each is told once.
    mutating func takeOverdue(at now: Duration) -> [LinkWill] {
        let overdue = all.filter { will in alarm(will).map { $0 <= now } ?? false }
        ended.formUnion(overdue.map(\.device))
        return overdue
    }

    /// Whether a motion that was ended at its deadline is still the device's last: the bridge has not spoken since.
    func isEnded(device: String, deadline: Duration?) -> Bool {
        ended.contains(device) && wills[device]?.deadline == deadline
    }
}
