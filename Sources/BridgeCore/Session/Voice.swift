/// Decides whether this bridge speaks for a device: on one broker only the holder of the link does, or who held
/// it last.
struct Voice: Sendable {
    /// What another bridge says of its link to a device of this name.
    struct Claim: Sendable {
        var bridge: String
        var isSameDevice: Bool
        var isConnected: Bool
        var isRetained: Bool
    }

    /// What to do about a claim.
    enum Reaction: Hashable, Sendable {
        case nothing
        /// Say again what holds, since the other one has overwritten it.
        case speakAgain
        /// Take another name: the other device holds this one.
        case giveUpName
    }

    private enum Holder: Sendable { case unknown, us, other }
    private var holder = Holder.unknown

    /// Whether to publish what is retained, and to obey commands.
    var isOurs: Bool { holder == .us }

    /// Nobody else was heard for a while after the start.
    ///
    /// - Returns: Whether this bridge begins to speak.
    mutating func assume() -> Bool {
        guard holder == .unknown else { return false }
        holder = .us
        return true
    }

    /// This bridge holds the link now.
    ///
    /// - Returns: Whether it begins to speak.
    mutating func linked() -> Bool {
        defer { holder = .us }
        return holder != .us
    }

    /// Another bridge says something of its link.
    ///
    /// - Parameter isLinked: Whether this bridge holds a link to its device.
    mutating func heard(_ claim: Claim, isLinked: Bool) -> Reaction {
        guard claim.isSameDevice else {
            if isLinked { return .speakAgain }
            return claim.isConnected || claim.isRetained ? .giveUpName : .nothing
        }
        if isLinked { return .speakAgain }
        if claim.isConnected || (claim.isRetained && holder == .unknown) { holder = .other }
        return .nothing
    }
}
