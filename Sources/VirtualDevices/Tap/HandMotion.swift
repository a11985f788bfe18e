/// Generates the values of a hand's accelerometers and gyroscope: gravity, slow rotation, tremor, noise, and a shock at
/// each finger that taps.
struct HandMotion: Sendable {
    private var random: RandomSource

    init(seed: UInt64) { random = RandomSource(seed: seed) }

    /// The largest number that each sensor can measure: full scale divided by the factor (`docs/protocols/tap.md`, "Raw
    /// values").
    private static let fingerLimit = 512.0
    private static let limit = 32_767.0

    /// Adds the five fingers' accelerations.
    ///
    /// - Parameters:
    ///   - seconds: The time of the sample.
    ///   - blow: The fingers that tap, and the strength of the shock from 0 to 1.
    mutating func addFingers(
        to frame: inout RawFrame, seconds: Double, factor: Double, blow: (fingers: UInt8, strength: Double)
    ) {
        var noise = random.next()
        let tremor = 12 * Self.wave(seconds * 9)
        for finger in 0..<5 {
            let place = Double(finger) * 0.04
            let hit = blow.fingers >> UInt8(finger) & 1 == 1 ? 1600 * blow.strength : 0
            let millig = [
                280 * Self.wave(seconds * 0.21 + place) + tremor,
                180 * Self.wave(seconds * 0.13 + 2 * place) - tremor + hit / 4,
                930 + 60 * Self.wave(seconds * 0.17 + place) - hit,
            ]
            for value in millig {
                frame.add(Self.count(value + Self.draw(&noise), factor, Self.fingerLimit))
            }
        }
    }

    /// Adds the motion of the thumb or the band: rotation, then acceleration.
    mutating func addMotion(to frame: inout RawFrame, seconds: Double, gyroFactor: Double, factor: Double) {
        var noise = random.next()
        let turning = [
            24_000 * Self.wave(seconds * 0.21 + 0.25), 15_000 * Self.wave(seconds * 0.13 + 0.25),
            6_000 * Self.wave(seconds * 0.08),
        ]
        let millig = [
            280 * Self.wave(seconds * 0.21), 180 * Self.wave(seconds * 0.13),
            930 + 60 * Self.wave(seconds * 0.17),
        ]
        for value in turning {
            frame.add(Self.count(value + 20 * Self.draw(&noise), gyroFactor, Self.limit))
        }
        for value in millig { frame.add(Self.count(value + Self.draw(&noise), factor, Self.limit)) }
    }

    private static func count(_ value: Double, _ factor: Double, _ limit: Double) -> Int {
        Int(max(-limit, min(limit, (value / factor).rounded())))
    }

    /// Returns a value from -7.5 to 7.5, from the next four bits.
    private static func draw(_ noise: inout UInt64) -> Double {
        defer { noise >>= 4 }
        return Double(noise & 15) - 7.5
    }

    /// A sine-like wave between -1 and 1 with period 1, composed of two parabolas.
    private static func wave(_ phase: Double) -> Double {
        let place = phase - phase.rounded(.down) - 0.5
        return -8 * place * (1 - 2 * abs(place))
    }
}
