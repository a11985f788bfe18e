import DeviceKit
import JSON

extension BeltFamily {
    static let vibration = FeatureHandle<BeltCommandedVibration, Never>(
        "vibration",
        "The vibration as commanded, not as felt, published at most 10 times a second; empty without a link. The "
            + "belt does not report it, so the belt's own compass, crossing and system signals are not included.",
        says: .state(
            [
                .field(
                    "channels", \.channels, .list(.object(channelFields), count: 0...6),
                    "The channels that were commanded and acknowledged, until they stop."),
                .field(
                    "strengths", \.strengths,
                    .list(.integer(0...100), count: strengthCount), unit: "%",
                    "The strength of each motor, motor 0 first: the strongest of its channels, or of its exclusive "
                        + "channels if there are any. Unknown values of a channel add nothing."),
            ], example: exampleOfVibration))

    private static let strengthCount =
        BeltCommandedVibration.motorCount...BeltCommandedVibration.motorCount

    private static let patterns = (BeltPattern.named.map(\.name) + [BeltCommandedVibration.pulsePattern])
        .map { ($0, $0) }

    private static var channelFields: [SaidField<BeltCommandedVibration.Channel>] {
        [
            .field("channel", \.number, .integer(channels), "The channel."),
            .field("source", \.source, .choice, "The feature that received the command."),
            .field("pattern", \.pattern, .choice(patterns), "The pattern; null for a number without a name."),
            .field(
                "intensity", \.intensity, .integer(0...100), unit: "%",
                "The strength; null while the belt's default is unknown."),
            .optional(
                "direction", \.direction, .angle, unit: "degrees",
                "The direction; omitted for motors and for patterns that choose their own."),
            .optional("reference", \.reference, .choice, "The reference of the direction."),
            .field(
                "motors", \.motors, .list(.integer(0...15), count: 0...16),
                "The motors; null if unknown: for a pattern that chooses its own, and for a magnetic "
                    + "direction without the belt's orientation."),
            .field("exclusive", \.isExclusive, .boolean, "Whether it suspends the other channels."),
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
