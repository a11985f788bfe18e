import DeviceKit
import JSON

/// What `vibrate` takes.
struct BeltVibrateCommand: BeltPlaced, BeltChanneled {
    var channel = BeltChannelArguments()
    var pattern = BeltPattern.continuous
    var place = BeltPlaceArguments()
    /// In milliseconds.
    var period: UInt16 = 500
    /// In milliseconds.
    var start: UInt16 = 0

    /// A place is needed, except by what stops the channel and by a pattern that chooses its motors itself, which
    /// takes no list of them.
    static var placeRules: [Taking<Self>.Rule] {
        let own = BeltPattern.named.filter(\.pattern.hasOwnMotors).map { JSON.Value.string($0.name) }
        return [
            onePlace, .when(\.pattern, is: own, .excludes([motorsKey])),
            .unless(\.pattern, is: own, .unless(intensityKey, is: [0], thePlace)),
        ]
    }

    /// The belt's command for it.
    ///
    /// Intensity 0 stops the channel, as the documented convenience calls do.
    func command(_ firmware: BeltFirmwareInformation?) throws(CommandError) -> BeltVibrationCommand {
        if channel.intensity == 0 { return .stop(channel: channel.clearsOthers ? nil : channel.number) }
        var place = try place.place(firmware)
        if pattern.hasOwnMotors {
            place = place ?? .motor(0)
        }
        guard let place else { throw .unreadable }
        return .configure(
            BeltChannelConfiguration(
                channel: channel.number, pattern: pattern, intensity: channel.intensity, place: place,
                iterations: channel.iterations, period: period,
                // Beyond the period its meaning is not known; FSLib-iOS reduces it in the same way.
                start: start % max(1, period), isExclusive: channel.isExclusive,
                clearsOthers: channel.clearsOthers))
    }
}

/// What `pulse` takes.
struct BeltPulseCommand: BeltPlaced, BeltChanneled {
    var channel = BeltChannelArguments()
    var place = BeltPlaceArguments()
    /// In milliseconds.
    var onDuration: UInt16 = 150
    var pulses: UInt8 = 1
    /// In milliseconds.
    var pulsePeriod: UInt16 = 500
    /// In milliseconds; nil for as long as the pulses take.
    var seriesPeriod: UInt16?
    var timer = BeltPulseTimer.resetIfChanged

    /// The belt's configuration for it.
    func configuration(_ firmware: BeltFirmwareInformation?) throws(CommandError) -> BeltPulseConfiguration {
        guard let place = try place.place(firmware) else { throw .unreadable }
        return BeltPulseConfiguration(
            channel: channel.number, place: place, intensity: channel.intensity, onDuration: onDuration,
            pulses: pulses, iterations: channel.iterations, pulsePeriod: pulsePeriod,
            seriesPeriod: seriesPeriod ?? UInt16(clamping: Int(pulses) * Int(pulsePeriod)), timer: timer,
            isExclusive: channel.isExclusive, clearsOthers: channel.clearsOthers)
    }
}
