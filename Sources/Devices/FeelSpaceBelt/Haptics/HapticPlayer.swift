import DeviceKit
import Haptics
import JSON

/// The pattern that a belt plays or is about to play.
struct HapticPlayer: Hashable, Sendable {
    /// What it is called.
    var name: String
    /// Where it is felt.
    var place: Place
    /// What is written when.
    var schedule: Schedule<HapticStep>
    /// What of it the belt does not show.
    var degraded: [String]
    /// The command that asked for it, until the first write carries that along.
    var command: CommandID?
    /// Whether its time has come.
    var hasBegun = false
    /// The channel of the newest write.
    var channel: UInt8?
    /// All channels that it was written to; of one that the mode took it from, the newest step may last.
    var channels: Set<UInt8> = []

    /// Leaves a channel to somebody else.
    mutating func release(_ released: UInt8) {
        channels.remove(released)
        if channel == released { channel = nil }
    }

    /// The answer when it plays.
    var answer: Answer { Self.answer(degraded) }

    static func answer(_ degraded: [String]) -> Answer {
        .ok(degraded.isEmpty ? [:] : ["degraded": .array(degraded.map { .string($0) })])
    }

    /// How long a command waits for the first write; one that begins later is answered when it is taken.
    static let patience = Duration.seconds(10)

    /// The place of a pattern that says none: motors all around, as many as the belt drives at once.
    static func allRound(_ firmware: FirmwareInformation?) -> Place {
        .motors([0, 3, 5, 8, 11, 13].reduce(0) { $0 | 1 << UInt16($1) }, firmware)
    }
}

extension Place {
    fileprivate static func motors(_ six: UInt16, _ firmware: FirmwareInformation?) -> Place {
        // FSLib-Android says that this firmware drives four at once.
        .motors(firmware?.version == 43 ? 0x1111 : six)
    }
}

extension CommandError {
    /// What is wrong with a pattern, for the one who sent it.
    init(_ error: HapticsError) {
        self.init(Code(rawValue: error.code.rawValue) ?? .invalidValue, error.description)
    }
}

/// What follows the end of a pattern.
enum Resumption: Hashable, Sendable {
    /// The belt stays as it is.
    case nothing
    /// The mode comes back that the pattern took its place of.
    case mode
    /// So does the signal of navigation.
    case everything
}
