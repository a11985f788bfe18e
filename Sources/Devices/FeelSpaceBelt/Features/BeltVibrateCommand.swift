import DeviceKit
import JSON

/// The arguments of `vibrate`.
struct BeltVibrateCommand: BeltPlaced, BeltChanneled {
    var channel = BeltChannelArguments()
    var pattern = BeltPattern.continuous
    /// A signal of the maker's libraries, which has its own pattern, period and iterations; nil for no signal.
    var signal: BeltSignal?
    var place = BeltPlaceArguments()
    /// The duration of one iteration, in milliseconds.
    var period: UInt16 = 500
    /// The start position in the pattern, in milliseconds.
    var start: UInt16 = 0

    /// A place is required, except to stop a channel, and for a pattern or a signal that selects its own motors. A
    /// pattern that selects its own motors accepts no list of motors; a signal that selects its own motors accepts no
    /// place.
    static var placeRules: [Taking<Self>.Rule] {
        let patterns = BeltPattern.named.filter(\.pattern.hasOwnMotors).map { JSON.Value.string($0.name) }
        let signals = BeltSignal.ofChannels.filter { $0.shape.place != nil }
            .map { JSON.Value.string($0.name) }
        return [
            onePlace, .when(\.pattern, is: patterns, .excludes([motorsKey])),
            .when(\.signal, is: signals, .unless(intensityKey, is: [0], .excludes(placeKeys))),
            .unless(
                \.signal, is: signals,
                .unless(\.pattern, is: patterns, .unless(intensityKey, is: [0], thePlace))),
        ]
    }

    /// Returns the command for the belt.
    ///
    /// Intensity 0 stops the channel, as in the convenience calls of the maker's libraries.
    func command(_ firmware: BeltFirmwareInformation?) throws(CommandError) -> BeltVibrationCommand {
        if channel.intensity == 0 { return .stop(channel: channel.clearsOthers ? nil : channel.number) }
        if let signal { return try command(showing: signal, firmware) }
        var place = try place.place(firmware)
        if pattern.hasOwnMotors {
            place = place ?? .motor(0)
        }
        guard let place else { throw .unreadable }
        return .configure(
            BeltChannelConfiguration(
                channel: channel.number, pattern: pattern, intensity: channel.intensity, place: place,
                iterations: channel.iterations, period: period,
                // What a belt does with a start position beyond the period is unknown, so the position is reduced
                // modulo the period, as in FSLib-iOS.
                start: start % max(1, period), isExclusive: channel.isExclusive,
                clearsOthers: channel.clearsOthers))
    }
}

extension BeltVibrateCommand {
    /// Returns the command that plays a signal as the maker's libraries do, on the given channel, with the given
    /// intensity and place.
    private func command(
        showing signal: BeltSignal, _ firmware: BeltFirmwareInformation?
    ) throws(CommandError) -> BeltVibrationCommand {
        let shape = signal.shape
        let given = try place.place(firmware)
        guard let place = shape.place ?? given else { throw .unreadable }
        return .configure(
            BeltChannelConfiguration(
                channel: channel.number, pattern: shape.pattern,
                intensity: channel.intensity ?? shape.intensity, place: place,
                iterations: shape.iterations, period: shape.period, start: start % shape.period,
                isExclusive: channel.isExclusive || shape.isExclusive, clearsOthers: channel.clearsOthers))
    }
}

/// The arguments of `pulse`.
struct BeltPulseCommand: BeltPlaced, BeltChanneled {
    var channel = BeltChannelArguments()
    var place = BeltPlaceArguments()
    /// The duration of a pulse, in milliseconds.
    var onDuration: UInt16 = 150
    var pulses: UInt8 = 1
    /// The time from the start of a pulse to the start of the next, in milliseconds.
    var pulsePeriod: UInt16 = 500
    /// The time from the start of a series to the start of the next, in milliseconds; nil for the total time of the
    /// pulses, so that no pause follows a series.
    var seriesPeriod: UInt16?
    var timer = BeltPulseTimer.resetIfChanged

    /// Returns the configuration for the belt.
    func configuration(_ firmware: BeltFirmwareInformation?) throws(CommandError) -> BeltPulseConfiguration {
        guard let place = try place.place(firmware) else { throw .unreadable }
        return BeltPulseConfiguration(
            channel: channel.number, place: place, intensity: channel.intensity, onDuration: onDuration,
            pulses: pulses, iterations: channel.iterations, pulsePeriod: pulsePeriod,
            seriesPeriod: seriesPeriod ?? UInt16(clamping: Int(pulses) * Int(pulsePeriod)), timer: timer,
            isExclusive: channel.isExclusive, clearsOthers: channel.clearsOthers)
    }
}
