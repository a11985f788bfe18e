import DeviceKit
import JSON

extension BeltFamily {
    static let vibrationFeatures = [vibrate.feature, pulse.feature, stop.feature, vibration.feature]

    /// The channels that the code of the maker's libraries uses. Some documents of the libraries state 0 to 3.
    static let channels = 0...5

    static let vibrate = FeatureHandle<Never, BeltVibrateCommand>(
        "vibrate",
        "Vibrates on one channel. Needs app mode, except on channel 0 with limited iterations and without "
            + "clear_others.",
        takes: Taking(
            BeltVibrateCommand(),
            BeltVibrateCommand.fields,
            shorthands: [.field(BeltVibrateCommand.directionKey)],
            rules: BeltVibrateCommand.placeRules + BeltVibrateCommand.oneShape,
            example: .object(
                BeltVibrateCommand(
                    channel: BeltChannelArguments(intensity: 60), place: BeltPlaceArguments(direction: 90)),
                also: [\.pattern, BeltVibrateCommand.referenceKey, \.period, \.start]
                    + BeltVibrateCommand.exampleKeys
            )))

    static let pulse = FeatureHandle<Never, BeltPulseCommand>(
        "pulse",
        "Vibrates in series of pulses on one channel; firmware 45 and newer. Needs app mode like vibrate.",
        takes: Taking(
            BeltPulseCommand(),
            BeltPulseCommand.fields,
            shorthands: [.field(BeltPulseCommand.directionKey)], rules: [BeltPulseCommand.thePlace],
            example: .object(
                BeltPulseCommand(
                    channel: BeltChannelArguments(number: 0, iterations: 1),
                    place: BeltPlaceArguments(direction: 90), pulses: 3, seriesPeriod: 1500),
                also: [\.onDuration, \.pulsePeriod])))

    /// The arguments of `stop`.
    struct StopCommand: Hashable, Sendable {
        /// The channel; nil for all channels.
        var channel: UInt8?
    }

    static let stop = FeatureHandle<Never, StopCommand>(
        "stop",
        "Stops one channel, or all of them, in every mode; the belt's own compass and crossing continue. An "
            + "unreadable payload stops all. The answer has \"confirmed\":false if it is not defined whether "
            + "the belt obeys: in the modes pause and calibration, and up to 10 s after a signal that the belt plays "
            + "automatically (signal, notify destination_reached or battery, intensity with feedback).",
        takes: Taking(
            StopCommand(),
            [.field("channel", \.channel, .integer(channels), "The channel; without it every channel.")],
            shorthands: [.word("all", StopCommand()), .field(\.channel)], empty: StopCommand(),
            traits: .stop, example: .object(StopCommand(channel: 2))),
        shown: { _ in [.action("Stop vibration", sends: "all", icon: "stop-circle-outline")] })
}

extension BeltVibrateCommand {
    /// The rules that `pattern`, `period_ms` and `iterations` are not allowed together with `signal`, because a signal
    /// defines its own values.
    fileprivate static var oneShape: [Taking<Self>.Rule] {
        [
            .atMostOne([\.signal, \.pattern]), .atMostOne([\.signal, \.period]),
            .atMostOne([\.signal, iterationsKey]),
        ]
    }

    fileprivate static var fields: [TakenField<Self>] {
        var fields: [TakenField<Self>] = [
            channelField,
            .field(
                "pattern", \.pattern, .choice(BeltPattern.named.map { ($0.name, $0.pattern) }),
                "The vibration pattern; warning, circle_right, destination_reached, front_cross and the battery "
                    + "levels choose their motors themselves."),
            .field(
                "signal", \.signal, .choice(BeltSignal.ofChannels), nullable: true,
                "A signal of the maker's libraries, which sets pattern, period_ms and iterations; the signals "
                    + "destination_reached, destination_reached_once, operation_warning and critical_warning "
                    + "choose their motors themselves."),
            intensityField,
        ]
        fields += placeFields
        fields += [
            iterationsField,
            .field("period_ms", \.period, .integer(1...65_535), unit: "ms", "The duration of one iteration."),
            .field(
                "start_ms", \.start, .integer(0...65_535), unit: "ms", "The start position in the pattern."),
        ]
        return fields + mixingFields
    }
}

extension BeltPulseCommand {
    fileprivate static var fields: [TakenField<Self>] {
        var fields = [channelField]
        fields += placeFields
        fields += [
            intensityField,
            .field("on_ms", \.onDuration, .integer(1...65_535), unit: "ms", "The duration of one pulse."),
            .field("pulses", \.pulses, .integer(1...9), "The number of pulses in one series."),
            iterationsField,
            .field(
                "pulse_period_ms", \.pulsePeriod, .integer(1...65_535), unit: "ms",
                "The time from one pulse to the next."),
            .field(
                "series_period_ms", \.seriesPeriod, .integer(1...65_535), unit: "ms", nullable: true,
                "The time from one series to the next; null for the duration of its pulses."),
            .field("timer", \.timer, .choice, "The effect on the channel's running timer."),
        ]
        return fields + mixingFields
    }
}
