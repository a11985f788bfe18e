import DeviceKit
import JSON

extension BeltFamily {
    static let vibration = FeatureHandle<BeltCommandedVibration, Never>(
        "vibration",
        "What the belt vibrates with as commanded, not as felt, at most 10 times a second; empty without a link. The "
            + "belt reports none of it, and its own compass, crossing and system signals are not in it.",
        says: .state(
            [
                .field(
                    "channels", \.channels, .list(.object(channelFields), count: 0...6),
                    "The channels that were commanded and acknowledged, until they end."),
                .field(
                    "strengths", \.strengths,
                    .list(.integer(0...100), count: strengthCount), unit: "%",
                    "The strength of each motor, motor 0 first: the strongest of its channels, only exclusive ones "
                        + "where there are any. What is not known of a channel adds nothing."),
            ], example: exampleOfVibration))

    private static let strengthCount =
        BeltCommandedVibration.motorCount...BeltCommandedVibration.motorCount

    private static let patterns = (BeltPattern.named.map(\.name) + [BeltCommandedVibration.pulsePattern])
        .map { ($0, $0) }

    private static var channelFields: [SaidField<BeltCommandedVibration.Channel>] {
        [
            .field("channel", \.number, .integer(channels), "The channel."),
            .field("source", \.source, .choice, "The feature that was asked for it."),
            .field("pattern", \.pattern, .choice(patterns), "How; null for a number without a name."),
            .field(
                "intensity", \.intensity, .integer(0...100), unit: "%",
                "How strong; null while the belt's default is not known."),
            .optional(
                "direction", \.direction, .angle, unit: "degrees",
                "Where; left out for motors and for patterns that choose theirs."),
            .optional("reference", \.reference, .choice, "What the direction is counted from."),
            .field(
                "motors", \.motors, .list(.integer(0...15), count: 0...16),
                "The motors; null where they are not known: of a pattern that chooses its own, and of a magnetic "
                    + "direction without the belt's orientation."),
            .field("exclusive", \.isExclusive, .boolean, "Whether it suspends the others."),
        ]
    }

    private static var exampleOfVibration: BeltCommandedVibration {
        var commanded = BeltCommandedChannels()
        commanded.take(
            .configure(BeltChannelConfiguration(intensity: 60, place: .angle(90))), from: .vibrate, in: .app,
            at: .zero)
        commanded.take(
            .configure(BeltChannelConfiguration(channel: 2, place: .bearing(180))), from: .navigation,
            in: .app, at: .zero)
        return BeltCommandedVibration(commanded, heading: nil, defaultIntensity: 50)
    }
}
