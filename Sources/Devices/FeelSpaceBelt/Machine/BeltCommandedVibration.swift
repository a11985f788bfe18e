import DeviceKit

/// What the belt vibrates with by command, as `vibration` says it.
struct BeltCommandedVibration: Hashable, Sendable {
    static let motorCount = 16

    /// One channel that vibrates.
    struct Channel: Hashable, Sendable {
        var number: UInt8
        var source: BeltVibrationSource
        /// The pattern's name; nil for a pattern that has none.
        var pattern: String?
        /// In percent; nil while the belt's default is not known.
        var intensity: UInt8?
        /// Whole degrees; nil for a place that is no direction.
        var direction: Int?
        /// What the direction is counted from.
        var reference: BeltReference?
        /// The motors in their order; nil where they are not known.
        var motors: [Int]?
        var isExclusive = false
    }

    /// The name of what is no pattern of the belt's list: a series of pulses.
    static let pulsePattern = "pulse"

    /// The channels that vibrate, in their order.
    var channels: [Channel] = []

    /// Nothing.
    static let none = BeltCommandedVibration()

    /// Works out what the channels do.
    ///
    /// - Parameters:
    ///   - heading: Where the belt's front points to, in degrees from magnetic north; nil while it is not known.
    ///   - defaultIntensity: In percent; nil while it is not known.
    init(_ commanded: BeltCommandedChannels, heading: Int?, defaultIntensity: UInt8?) {
        channels = commanded.entries.sorted { $0.key < $1.key }.map { number, entry in
            var channel = Channel(number: number, source: entry.source)
            var place: BeltPlace?
            switch entry.command {
            case .configure(let configuration):
                channel.pattern = configuration.pattern.name
                channel.intensity = configuration.intensity
                channel.isExclusive = configuration.isExclusive
                if !configuration.pattern.hasOwnMotors { place = configuration.place }
            case .pulse(let configuration):
                channel.pattern = Self.pulsePattern
                channel.intensity = configuration.intensity
                channel.isExclusive = configuration.isExclusive
                place = configuration.place
            case .system, .stop: break
            }
            channel.intensity = channel.intensity ?? defaultIntensity
            switch place {
            case .angle(let degrees)?:
                (channel.direction, channel.reference) = (degrees, .belt)
                channel.motors = place?.motors(heading: 0)
            case .bearing(let degrees)?:
                (channel.direction, channel.reference) = (degrees, .magnetic)
                channel.motors = heading.flatMap { place?.motors(heading: Double($0)) }
            case .motor?, .motors?: channel.motors = place?.motors(heading: 0)
            case nil: break
            }
            return channel
        }
    }

    private init() {}

    /// The strength of each motor in percent, motor 0 first: the strongest of its channels, and where channels are
    /// exclusive of these alone. A channel whose motors or intensity are not known adds nothing.
    var strengths: [Int] {
        var strengths = [Int](repeating: 0, count: Self.motorCount)
        let hasExclusive = channels.contains(where: \.isExclusive)
        for channel in channels where channel.isExclusive || !hasExclusive {
            guard let motors = channel.motors, let intensity = channel.intensity else { continue }
            for motor in motors { strengths[motor] = max(strengths[motor], Int(intensity)) }
        }
        return strengths
    }
}

extension BeltPlace {
    /// The motors of ``mask(heading:)`` in their order.
    fileprivate func motors(heading: Double) -> [Int] {
        let mask = mask(heading: heading)
        return (0..<BeltCommandedVibration.motorCount).filter { mask & 1 << UInt16($0) != 0 }
    }
}
