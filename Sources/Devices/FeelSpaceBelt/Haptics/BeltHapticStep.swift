import Haptics

/// One vibration of a pattern, before it is known on which channel it goes out.
struct BeltHapticStep: Hashable, Sendable {
    /// In percent, at least 1.
    var intensity: UInt8
    /// How long, in milliseconds.
    var length: Int
    /// The tap that it is, if it is one.
    var tap: Tap?
    /// Whether another one follows without a gap: then it lasts a little longer, should the next write be late.
    var isFollowed = false

    /// How much longer a step lasts that another one follows; the next write ends it.
    static let lingering = 100
    /// The longest period that the belt takes, in milliseconds, with room for lingering.
    private static let longestPeriod = 60_000

    /// The command that the belt takes for it: a limited vibration, so that it ends by itself.
    ///
    /// Sharpness chooses the pulse: a series of one for firmware that knows pulses, else the belt's own short or long
    /// one, in a period of the tap's length.
    func command(on channel: UInt8, at place: BeltPlace, firmware: BeltFirmwareInformation?)
        -> BeltVibrationCommand
    {
        if let tap {
            let length = UInt16(clamping: length)
            if firmware?.version ?? 0 >= 45 {
                return .pulse(
                    BeltPulseConfiguration(
                        channel: channel, place: place, intensity: intensity, onDuration: length,
                        iterations: 1,
                        pulsePeriod: length, seriesPeriod: length, timer: .reset))
            }
            return .configure(
                BeltChannelConfiguration(
                    channel: channel, pattern: tap == .short ? .singleShort : .singleLong,
                    intensity: intensity, place: place, iterations: 1, period: length))
        }
        let time = length + (isFollowed ? Self.lingering : 0)
        let iterations = (time + Self.longestPeriod - 1) / Self.longestPeriod
        return .configure(
            BeltChannelConfiguration(
                channel: channel, pattern: .continuous, intensity: intensity, place: place,
                iterations: UInt8(clamping: max(1, iterations)),
                period: UInt16(clamping: time / max(1, iterations))))
    }

    /// What is left of it after a while; nil for nothing worth a write.
    func remainder(after time: Duration) -> BeltHapticStep? {
        var remainder = self
        remainder.length -= Int(time / .milliseconds(1))
        return tap == nil && remainder.length > 0 ? remainder : nil
    }
}
