import DeviceKit
import Haptics

/// The pattern that a belt plays or is about to play.
struct BeltPlayedPattern: Hashable, Sendable {
    /// The step of a slot that was due last.
    struct Newest: Hashable, Sendable {
        var step: BeltHapticStep
        var start: Duration
        /// The channel; nil if the step is not written, or another command uses the channel now.
        var channel: UInt8?
    }

    /// Determines which step of the pattern is due, and when.
    var player: HapticPlayer<BeltHapticStep>
    /// For each slot, the step that was due last.
    var newest: [Int: Newest] = [:]
    /// All channels to which steps were written. After a change of mode, the last step on a former channel may still
    /// play.
    var channels: Set<UInt8> = []

    /// The channel of the first slot to which a channel is assigned; nil if no slot has a channel.
    var channel: UInt8? { newest.sorted { $0.key < $1.key }.compactMap(\.value.channel).first }

    /// Whether the newest step of any slot plays on the channel.
    func plays(on channel: UInt8) -> Bool { newest.values.contains { $0.channel == channel } }

    /// Removes a channel from the pattern's steps, because another command sets the channel.
    mutating func release(_ released: UInt8) {
        channels.remove(released)
        for slot in newest.keys where newest[slot]?.channel == released { newest[slot]?.channel = nil }
    }
}

extension BeltPlace {
    /// The belt's place for a place of a pattern. A pattern without a place plays on motors all around the belt: as
    /// many as the belt can drive at once.
    init(_ place: Timeline.Place, _ firmware: BeltFirmwareInformation?) {
        switch place {
        case .position(let position): self = .angle(position.degrees)
        case .device(let code):
            self = BeltPlace(type: UInt8(code >> 16), value: UInt16(code & 0xFFFF)) ?? .motor(0)
        case .whole:
            // According to FSLib-Android, this firmware drives four motors at once.
            let all = firmware?.version == 43 ? [0, 4, 8, 12] : [0, 3, 5, 8, 11, 13]
            self = .motors(all.reduce(0) { $0 | 1 << UInt16($1) })
        }
    }

    /// The place, encoded so that a pattern can contain it.
    var inPattern: Timeline.Place { .device(Int(type) << 16 | Int(value)) }
}

/// What is restored at the end of a pattern.
enum BeltResumption: Hashable, Sendable {
    /// Neither the mode nor the navigation signal is restored.
    case nothing
    /// The mode that the pattern replaced is restored.
    case mode
    /// The mode and the navigation signal are restored.
    case everything
}
