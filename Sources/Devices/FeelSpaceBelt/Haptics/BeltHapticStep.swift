import Haptics

/// One vibration of a pattern, without a channel.
struct BeltHapticStep: Hashable, Sendable {
    /// The intensity in percent, at least 1.
    var intensity: UInt8
    /// The duration, in milliseconds.
    var length: Int
    /// The kind of tap; nil for a step that is no tap.
    var tap: Tap?
    /// Whether another step follows without a gap. If so, the step lasts longer by ``lingering``, in case the next
    /// write is delayed.
    var isFollowed = false
    /// Where on the belt the wearer feels the step.
    var place = Timeline.Place.whole
    /// The index, from 0, of the channel that plays the step, among the channels that the pattern uses.
    var slot = 0

    /// The additional duration of a step that another step follows, in milliseconds. The write of the next step ends
    /// the lingering step.
    static let lingering = 100
    /// The longest period that the belt accepts, in milliseconds, minus a margin for ``lingering``.
    private static let longestPeriod = 60_000

    /// Returns the command for the belt: a limited vibration, which ends automatically.
    ///
    /// Sharpness selects the pulse. Firmware that supports pulses gets a series with one pulse; other firmware gets
    /// the belt's short or long pulse, with the length of the tap as its period.
    func command(on channel: UInt8, firmware: BeltFirmwareInformation?) -> BeltVibrationCommand {
        let place = BeltPlace(place, firmware)
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

    /// Returns the rest of the step, shorter by a time that has passed; nil if the step is over, or is a tap.
    func remainder(after time: Duration) -> BeltHapticStep? {
        var remainder = self
        remainder.length -= Int(time / .milliseconds(1))
        return tap == nil && remainder.length > 0 ? remainder : nil
    }
}
