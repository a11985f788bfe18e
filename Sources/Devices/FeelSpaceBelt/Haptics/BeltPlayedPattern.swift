import DeviceKit

/// The pattern that a belt plays or is about to play, and its place.
struct BeltPlayedPattern: Hashable, Sendable {
    /// The scheduled writes.
    var player: HapticPlayer<BeltHapticStep>
    /// The place on the belt.
    var place: BeltPlace
    /// The channel of the newest write.
    var channel: UInt8?
    /// All channels that were written. After a change of mode, the last step on the previous channel may still play.
    var channels: Set<UInt8> = []

    /// Leaves a channel to other commands.
    mutating func release(_ released: UInt8) {
        channels.remove(released)
        if channel == released { channel = nil }
    }

    /// Returns the place for a pattern without a place: motors all around the belt, as many as it drives at once.
    static func allRound(_ firmware: BeltFirmwareInformation?) -> BeltPlace {
        // According to FSLib-Android, this firmware drives four motors at once.
        guard firmware?.version != 43 else { return .motors(0x1111) }
        return .motors([0, 3, 5, 8, 11, 13].reduce(0) { $0 | 1 << UInt16($1) })
    }
}

/// The state that is restored after the end of a pattern.
enum BeltResumption: Hashable, Sendable {
    /// Nothing.
    case nothing
    /// The mode that the pattern replaced.
    case mode
    /// The mode and the navigation signal.
    case everything
}
