import Bluetooth

/// Decides whether this bridge speaks for a device: on one broker only the holder of the link does, or who held
/// it last.
///
/// Whether a claim was in store or is made just now cannot be seen on it (with MQTT 5 both carry the retain
/// flag). What arrives in a moment after the connection to the broker was made counts as stored.
struct Voice: Sendable {
    /// What another bridge says of its link to a device of this name.
    struct Claim: Hashable, Sendable {
        var bridge: String
        var address: Address
        var isConnected: Bool
    }

    /// What to do about a claim.
    enum Reaction: Hashable, Sendable {
        case nothing
        /// Say again what holds, since the other one has overwritten it.
        case speakAgain
        /// Say nothing more: the other one holds the device.
        case fallSilent
        /// Take another name: the other device holds this one.
        case giveUpName
    }

    private enum Holder: Sendable { case unknown, us, other }

    /// This bridge's id.
    let bridge: String
    /// The device's address.
    let address: Address
    private var holder = Holder.unknown
    private var isListening = false

    init(bridge: String, address: Address) {
        self.bridge = bridge
        self.address = address
    }

    /// Whether to publish what is retained, and to obey commands.
    var isOurs: Bool { holder == .us }
    /// Whether another bridge may turn out to be the holder yet.
    var isUnknown: Bool { holder == .unknown }

    /// The broker is there: stored claims come now.
    mutating func listen() { isListening = true }

    /// All stored claims have been heard.
    ///
    /// - Returns: Whether this bridge begins to speak, since nobody else does.
    mutating func settle() -> Bool {
        isListening = false
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
    /// Where both have the same right, the lower address keeps a name and the lower id keeps a device, so that
    /// both sides come to the same end and neither answers the other for ever.
    ///
    /// - Parameter isLinked: Whether this bridge holds a link to its device.
    mutating func heard(_ claim: Claim, isLinked: Bool) -> Reaction {
        claim.address == address
            ? heardOfDevice(claim, isLinked) : heardOfName(claim, isLinked)
    }

    private mutating func heardOfDevice(_ claim: Claim, _ isLinked: Bool) -> Reaction {
        if claim.isConnected {
            // A device has one link: the newer claim is the true one.
            return isLinked && isListening ? insist() : yield()
        }
        if isLinked { return insist() }
        switch holder {
        case .other: return .nothing
        case .unknown: return yield()
        case .us: return isListening || claim.bridge < bridge ? yield() : insist()
        }
    }

    private mutating func heardOfName(_ claim: Claim, _ isLinked: Bool) -> Reaction {
        let goesFirst = claim.address < address
        if isLinked { return claim.isConnected && goesFirst && !isListening ? .giveUpName : insist() }
        if claim.isConnected || isListening || goesFirst { return .giveUpName }
        return holder == .us ? insist() : .nothing
    }

    private mutating func insist() -> Reaction {
        holder = .us
        return .speakAgain
    }

    private mutating func yield() -> Reaction {
        defer { holder = .other }
        return holder == .other ? .nothing : .fallSilent
    }
}
