import BridgeContract

/// Keeps the wills of the connected devices and knows which motions are over their deadline: a pure value.
struct WillBook: Sendable {
    /// How long after a deadline, or after its last word, the bridge may still end the motion by itself.
    static let patience = Duration.milliseconds(120)

    /// A motion that the bridge has let run beyond its deadline.
    struct Overdue: Hashable, Sendable {
        /// The device's will.
        var will: LinkWill
        /// Names this try to end the motion; see ``WillBook/isEnding(device:attempt:)``.
        var attempt: Int
    }

    /// Where a device's deadline stands.
    private enum Vigil: Hashable {
        /// It is watched, but not before a moment.
        case armed(notBefore: Duration)
        /// The motion is being ended in the bridge's place.
        case ending(attempt: Int)
        /// That is done, and the bridge has not named another deadline since.
        case ended
    }

    private var wills: [String: LinkWill] = [:]
    private var vigils: [String: Vigil] = [:]
    /// The wills that are carried out while the bridge lives.
    private var handedOver: [String: LinkWill] = [:]
    private var lastAttempt = 0

    /// Every will: those of devices that move first, those of which only the link is to be closed last.
    var all: [LinkWill] { Self.sorted(wills.merging(handedOver) { $1 }.values) }

    /// The wills that the bridge has not handed over, in the same order.
    var kept: [LinkWill] { Self.sorted(wills.values) }

    private static func sorted(_ wills: some Sequence<LinkWill>) -> [LinkWill] {
        func rank(_ will: LinkWill) -> Int { will.isSafetyCritical ? 0 : will.writes.isEmpty ? 2 : 1 }
        return wills.sorted { (rank($0), $0.device) < (rank($1), $1.device) }
    }

    /// When the next motion is over its deadline; nil if none is to be watched.
    var nextAlarm: Duration? { wills.values.compactMap(alarm).min() }

    private func alarm(_ will: LinkWill) -> Duration? {
        guard !will.deadlineWrites.isEmpty, let deadline = will.deadline else { return nil }
        switch vigils[will.device] {
        case nil: return deadline + Self.patience
        case .armed(let notBefore): return max(deadline + Self.patience, notBefore)
        case .ending, .ended: return nil
        }
    }

    // MARK: What the bridge says

    /// Takes a will; one that was handed over is called off: the device has a new link.
    ///
    /// - Returns: Whether what would be written for a dead bridge changed.
    mutating func keep(_ will: LinkWill) -> Bool {
        let wasHandedOver = handedOver.removeValue(forKey: will.device) != nil
        let former = wills.updateValue(will, forKey: will.device)
        if former?.deadline != will.deadline { vigils[will.device] = nil }
        return wasHandedOver || former?.writes != will.writes
            || former?.isSafetyCritical != will.isSafetyCritical
    }

    /// Takes a will that is carried out from now on.
    mutating func handOver(_ will: LinkWill) {
        _ = release(device: will.device)
        handedOver[will.device] = will
    }

    /// Forgets a device.
    ///
    /// - Returns: Whether there was anything to be forgotten.
    mutating func release(device: String) -> Bool {
        vigils[device] = nil
        return wills.removeValue(forKey: device) != nil
    }

    /// Forgets every device but those that were handed over: the bridge ends in good order.
    mutating func releaseAll() { (wills, vigils) = ([:], [:]) }

    /// The bridge has said something, so that it is awake and ends its motions itself: what is being ended in its
    /// place is left to it, and taken up again only if it then lets the same deadline stand.
    ///
    /// - Returns: The devices that are left to the bridge.
    mutating func bridgeSpoke(at now: Duration) -> [String] {
        var interrupted: [String] = []
        for (device, vigil) in vigils {
            guard case .ending = vigil else { continue }
            vigils[device] = .armed(notBefore: now + Self.patience)
            interrupted.append(device)
        }
        return interrupted.sorted()
    }

    /// Whether the bridge still lets a motion stand that was being ended in its place.
    func isOpen(device: String) -> Bool {
        guard case .armed = vigils[device] else { return false }
        return true
    }

    // MARK: What is done in its place

    /// The motions that the bridge has let run beyond their deadline, those that move first; each is told once.
    mutating func takeOverdue(at now: Duration) -> [Overdue] {
        kept.filter { will in alarm(will).map { $0 <= now } ?? false }.map { will in
            lastAttempt += 1
            vigils[will.device] = .ending(attempt: lastAttempt)
            return Overdue(will: will, attempt: lastAttempt)
        }
    }

    /// Whether a motion is still to be ended in the bridge's place.
    func isEnding(device: String, attempt: Int) -> Bool { vigils[device] == .ending(attempt: attempt) }

    /// A motion was ended in the bridge's place.
    mutating func end(device: String, attempt: Int) {
        if isEnding(device: device, attempt: attempt) { vigils[device] = .ended }
    }

    /// Whether a will is still to be carried out that was handed over.
    func isHandedOver(_ will: LinkWill) -> Bool { handedOver[will.device] == will }

    /// A will was carried out: nothing needs to be done for the device any more.
    mutating func settle(device: String) {
        _ = release(device: device)
        handedOver[device] = nil
    }
}
