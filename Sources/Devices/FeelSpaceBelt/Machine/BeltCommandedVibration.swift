import DeviceKit

/// The commanded vibrations, as the feature `vibration` publishes them.
struct BeltCommandedVibration: Hashable, Sendable {
    static let motorCount = 16

    /// What a vibrating channel plays, as published.
    struct Channel: Hashable, Sendable {
        var number: UInt8
        var source: BeltVibrationSource
        /// The name of the pattern; nil if the pattern has no name.
        var pattern: String?
        /// The intensity in percent; nil while the belt's default is unknown.
        var intensity: UInt8?
        /// The direction in whole degrees; nil for a place without a direction.
        var direction: Int?
        /// What the direction is relative to; nil for a place without a direction.
        var reference: BeltReference?
        /// The motors in ascending order; nil if they are unknown.
        var motors: [Int]?
        var isExclusive = false
    }

    /// The name for a series of pulses, which is not in the belt's list of patterns.
    static let pulsePattern = "pulse"

    /// The channels that vibrate, in ascending order.
    var channels: [Channel] = []

    static let none = BeltCommandedVibration()

    /// Computes the vibrations.
    ///
    /// - Parameters:
    ///   - heading: The direction of the belt's front in degrees from magnetic north; nil while it is unknown.
    ///   - defaultIntensity: The belt's default intensity in percent; nil while it is unknown.
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

    /// The intensity of each motor in percent, motor 0 first: the maximum of its channels. If a channel is exclusive,
    /// other channels do not count. A channel whose motors or intensity are unknown is ignored.
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
    /// Returns the motors of ``mask(heading:)`` in ascending order.
    fileprivate func motors(heading: Double) -> [Int] {
        let mask = mask(heading: heading)
        return (0..<BeltCommandedVibration.motorCount).filter { mask & 1 << UInt16($0) != 0 }
    }
}
