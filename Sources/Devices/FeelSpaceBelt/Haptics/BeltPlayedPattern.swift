import DeviceKit

/// The pattern that a belt plays or is about to play, and where.
struct BeltPlayedPattern: Hashable, Sendable {
    /// What is written when.
    var player: HapticPlayer<BeltHapticStep>
    /// Where it is felt.
    var place: BeltPlace
    /// The channel of the newest write.
    var channel: UInt8?
    /// All channels that it was written to; of one that the mode took it from, the newest step may last.
    var channels: Set<UInt8> = []

    /// Leaves a channel to other commands.
    mutating func release(_ released: UInt8) {
        channels.remove(released)
        if channel == released { channel = nil }
    }

    /// The place of a pattern that says none: motors all around, as many as the belt drives at once.
    static func allRound(_ firmware: BeltFirmwareInformation?) -> BeltPlace {
        // FSLib-Android says that this firmware drives four at once.
        guard firmware?.version != 43 else { return .motors(0x1111) }
        return .motors([0, 3, 5, 8, 11, 13].reduce(0) { $0 | 1 << UInt16($1) })
    }
}

/// What follows the end of a pattern.
enum BeltResumption: Hashable, Sendable {
    /// The belt stays as it is.
    case nothing
    /// The mode comes back that the pattern took its place of.
    case mode
    /// So does the signal of navigation.
    case everything
}
