extension VirtualBelt {
    /// A vibration in progress: a shape (the pulses of a pattern), a place on the belt and a position in time.
    struct Channel: Hashable, Sendable {
        var shape: Pattern
        var target: Target
        /// The intensity in percent; nil for the belt's default.
        var intensity: Int?
        /// How long one iteration of the pattern lasts.
        var period: Duration
        /// When the pattern's timer was zero. The position in the pattern follows from this time.
        var origin: Duration
        /// When the vibration ends; nil for an unlimited vibration.
        var end: Duration?
        var isExclusive = false
        /// The time at which the channel was configured. If two channels are exclusive, the channel that was configured
        /// later plays.
        var configuredAt: Duration = .zero

        /// The place where a vibration is felt.
        enum Target: Hashable, Sendable {
            case mask(UInt16)
            case motor(Int)
            /// Degrees from the front.
            case angle(Int)
            /// Degrees from magnetic north.
            case bearing(Int)

            /// Decodes the type and the value of a packet; nil for an unknown type. Angles beyond 360 degrees are
            /// reduced modulo 360.
            init?(type: UInt8, value: Int) {
                switch type {
                case 0: self = .mask(UInt16(truncatingIfNeeded: value))
                case 1: self = .motor(value % 16)
                case 2: self = .angle(value % 360)
                case 3: self = .bearing(value % 360)
                default: return nil
                }
            }

            /// The motors for this target when the belt's front has this heading.
            func motors(heading: Int) -> [Int] {
                switch self {
                case .mask(let mask): (0..<16).filter { mask >> UInt16($0) & 1 == 1 }
                case .motor(let motor): [motor]
                case .angle(let angle): [Self.nearest(angle)]
                case .bearing(let bearing): [Self.nearest(bearing - heading)]
                }
            }

            /// The motor nearest to an angle. Each motor covers 22.5 degrees; motor 0 is centered on the front.
            private static func nearest(_ angle: Int) -> Int {
                let turned = ((angle % 360) + 360) % 360
                return (turned * 100 + 1125) / 2250 % 16
            }
        }

        /// Starts a shape immediately.
        ///
        /// - Parameters:
        ///   - iterations: The number of iterations. Nil and values below 1 mean an unlimited vibration.
        ///   - period: The duration of one iteration; nil or zero for the default duration of the shape.
        ///   - startTime: The initial value of the pattern's timer.
        init(
            _ shape: Pattern, at target: Target, intensity: Int? = nil, iterations: Int? = nil,
            period: Duration? = nil, startTime: Duration = .zero, from now: Duration
        ) {
            self.shape = shape
            self.target = target
            self.intensity = intensity
            let wanted = period ?? .zero
            self.period = wanted > .zero ? wanted : shape.length
            origin = now - startTime.modulo(self.period)
            configuredAt = now
            if let iterations, iterations > 0 { end = origin + self.period * iterations }
        }

        func isOver(at now: Duration) -> Bool { end.map { now >= $0 } ?? false }

        /// The motors that run at this time, with their strength in percent.
        func motors(at now: Duration, heading: Int, defaultIntensity: Int) -> [(motor: Int, strength: Int)] {
            guard !isOver(at: now) else { return [] }
            let phase = (now - origin).modulo(period)
            var running: [(motor: Int, strength: Int)] = []
            for pulse in shape.pulses where pulse.start <= phase && phase < end(of: pulse) {
                let strength = (intensity ?? defaultIntensity) * pulse.strength / 100
                guard strength > 0 else { continue }
                running += (pulse.motors ?? target.motors(heading: heading)).map { ($0, strength) }
            }
            return running
        }

        /// When a pulse starts or ends next.
        func nextEdge(after now: Duration) -> Duration? {
            guard !isOver(at: now) else { return nil }
            let phase = (now - origin).modulo(period)
            let edges = shape.pulses.flatMap { [$0.start, end(of: $0)] } + [period]
            let next = edges.filter { $0 > phase && $0 <= period }.min().map { now + $0 - phase }
            guard let end else { return next }
            return next.map { min($0, end) } ?? end
        }

        private func end(of pulse: Pattern.Pulse) -> Duration {
            pulse.length.map { min(pulse.start + $0, period) } ?? period
        }
    }
}

extension Duration {
    /// The time since the last multiple of `period`; never negative. For a period of zero, the result is zero.
    func modulo(_ period: Duration) -> Duration {
        guard period > .zero else { return .zero }
        let rest = nanoseconds % period.nanoseconds
        return .nanoseconds(rest < 0 ? rest + period.nanoseconds : rest)
    }

    /// The duration in whole nanoseconds. The range is almost 300 years.
    private var nanoseconds: Int64 {
        components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
    }
}
