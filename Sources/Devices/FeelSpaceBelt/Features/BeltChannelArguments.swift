import DeviceKit

/// The channel that a command uses, and its effect on other channels.
struct BeltChannelArguments: Hashable, Sendable {
    var number: UInt8 = 1
    /// The intensity in percent; nil for the belt's default.
    var intensity: UInt8?
    /// How often the pattern is repeated; nil for no limit.
    var iterations: UInt8?
    var isExclusive = false
    var clearsOthers = false
    var entersAppMode = false
}

/// The arguments of a command that makes a channel vibrate.
protocol BeltChanneled: Sendable {
    var channel: BeltChannelArguments { get set }
}

extension BeltChanneled {
    static var channelField: TakenField<Self> {
        .field(
            "channel", \.channel.number, .integer(BeltFamily.channels),
            "The channel; only 0 works outside app mode.")
    }

    /// The key paths of the protocol's fields, for comparison with the fields of a command. They must start at the
    /// protocol: a key path that starts at a concrete command type is not equal to them.
    static var exampleKeys: [any PartialKeyPath<Self> & Sendable] {
        [
            \Self.channel.number, \Self.channel.iterations, \Self.channel.isExclusive,
            \Self.channel.clearsOthers,
        ]
    }

    /// The key path of `iterations`, for comparison with the fields of a command. It must start at the protocol: a key
    /// path that starts at a concrete command type is not equal to it.
    static var iterationsKey: any PartialKeyPath<Self> & Sendable { \Self.channel.iterations }
    /// The key path of `intensity`, which must start at the protocol like ``iterationsKey``.
    static var intensityKey: any PartialKeyPath<Self> & Sendable { \Self.channel.intensity }

    static var intensityField: TakenField<Self> {
        .field(
            "intensity", \.channel.intensity, .integer(0...100), unit: "%", nullable: true,
            "The strength; null for the belt's default, 0 stops the channel.")
    }

    static var iterationsField: TakenField<Self> {
        .field(
            "iterations", \.channel.iterations, .integer(1...127), nullable: true,
            "The number of repetitions; null until stopped.")
    }

    static var mixingFields: [TakenField<Self>] {
        [
            .field(
                "exclusive", \.channel.isExclusive, .boolean,
                "Suspends the other channels while this channel vibrates."),
            .field("clear_others", \.channel.clearsOthers, .boolean, "Stops the other channels."),
            .field(
                "enter_app_mode", \.channel.entersAppMode, .boolean,
                "Puts the belt into app mode first if necessary."),
        ]
    }
}
