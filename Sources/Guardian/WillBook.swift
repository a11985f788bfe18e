import BridgeContract

/// The wills of the connected devices (``LinkWill``), and the motions that exceed their deadline. A value without side
/// effects.
struct WillBook: Sendable {
    /// The time after a deadline, and after the bridge's last message, during which the bridge may still end the motion
    /// itself.
    static let patience = Duration.milliseconds(120)

    /// A motion that the bridge has not ended by its deadline.
    struct Overdue: Hashable, Sendable {
        /// The will of the device that still moves.
        var will: LinkWill
        /// Distinguishes this attempt to end the motion from other attempts, for
        /// ``WillBook/isEnding(device:attempt:)``.
        var attempt: Int
    }

    /// What the guardian does about the deadline of a device's motion.
    private enum Vigil: Hashable {
        /// The deadline is watched, but nothing is done before this time.
        case armed(notBefore: Duration)
        /// The guardian is ending the motion in place of the bridge.
        case ending(attempt: Int)
        /// The guardian has ended the motion, and the bridge has set no new deadline since.
        case ended
    }

    private var wills: [String: LinkWill] = [:]
    private var vigils: [String: Vigil] = [:]
    /// The wills that the bridge has handed over with `carry-out`. They are carried out even while the bridge is
    /// running.
    private var handedOver: [String: LinkWill] = [:]
    private var lastAttempt = 0

    /// All wills: first the wills of devices that move, last the wills with only a link to close.
    var all: [LinkWill] { Self.sorted(wills.merging(handedOver) { $1 }.values) }

    /// The wills that were not handed over, in the order of ``all``.
    var kept: [LinkWill] { Self.sorted(wills.values) }

    private static func sorted(_ wills: some Sequence<LinkWill>) -> [LinkWill] {
        func rank(_ will: LinkWill) -> Int { will.isSafetyCritical ? 0 : will.writes.isEmpty ? 2 : 1 }
        return wills.sorted { (rank($0), $0.device) < (rank($1), $1.device) }
    }

    /// The time at which the next motion exceeds its deadline; nil if no deadline is watched.
    var nextAlarm: Duration? { wills.values.compactMap(alarm).min() }

    private func alarm(_ will: LinkWill) -> Duration? {
        guard !will.deadlineWrites.isEmpty, let deadline = will.deadline else { return nil }
        switch vigils[will.device] {
        case nil: return deadline + Self.patience
        case .armed(let notBefore): return max(deadline + Self.patience, notBefore)
        case .ending, .ended: return nil
        }
    }

    // MARK: Messages of the bridge

    /// Stores a will. If the device was handed over, its old will is removed, because the device has a new link.
    ///
    /// - Returns: Whether the will differs in the writes to make after the bridge's death, so that the file must be
    ///   written.
    mutating func keep(_ will: LinkWill) -> Bool {
        let wasHandedOver = handedOver.removeValue(forKey: will.device) != nil
        let former = wills.updateValue(will, forKey: will.device)
        if former?.deadline != will.deadline { vigils[will.device] = nil }
        return wasHandedOver || former?.writes != will.writes
            || former?.isSafetyCritical != will.isSafetyCritical
    }

    /// Stores a will that the bridge has handed over with `carry-out`, in place of the device's other will.
    mutating func handOver(_ will: LinkWill) {
        _ = release(device: will.device)
        handedOver[will.device] = will
    }

    /// Removes a device.
    ///
    /// - Returns: Whether it had a will.
    mutating func release(device: String) -> Bool {
        vigils[device] = nil
        return wills.removeValue(forKey: device) != nil
    }

    /// Removes all devices except those with a handed-over will, because the bridge exits cleanly.
    mutating func releaseAll() { (wills, vigils) = ([:], [:]) }

    /// Handles any message of the bridge, which proves that the bridge is awake and ends its motions itself. The
    /// guardian stops ending motions in place of the bridge. It starts again only if the bridge does not move the
    /// deadline of the motion soon.
    ///
    /// - Returns: The devices whose motions the guardian has stopped ending.
    mutating func bridgeSpoke(at now: Duration) -> [String] {
        var interrupted: [String] = []
        for (device, vigil) in vigils {
            guard case .ending = vigil else { continue }
            vigils[device] = .armed(notBefore: now + Self.patience)
            interrupted.append(device)
        }
        return interrupted.sorted()
    }

    /// Whether the bridge has a deadline for a device, and the guardian has not ended that motion.
    func isOpen(device: String) -> Bool {
        guard case .armed = vigils[device] else { return false }
        return true
    }

    // MARK: Actions in place of the bridge

    /// Returns the motions that exceed their deadline, devices that move first; returns each motion once.
    mutating func takeOverdue(at now: Duration) -> [Overdue] {
        kept.filter { will in alarm(will).map { $0 <= now } ?? false }.map { will in
            lastAttempt += 1
            vigils[will.device] = .ending(attempt: lastAttempt)
            return Overdue(will: will, attempt: lastAttempt)
        }
    }

    /// Whether the guardian still has to end a motion in place of the bridge.
    func isEnding(device: String, attempt: Int) -> Bool { vigils[device] == .ending(attempt: attempt) }

    /// Records that the guardian has ended a motion in place of the bridge.
    mutating func end(device: String, attempt: Int) {
        if isEnding(device: device, attempt: attempt) { vigils[device] = .ended }
    }

    /// Whether a will that was handed over still has to be carried out.
    func isHandedOver(_ will: LinkWill) -> Bool { handedOver[will.device] == will }

    /// Removes a device whose will was carried out.
    mutating func settle(device: String) {
        _ = release(device: device)
        handedOver[device] = nil
    }
}
