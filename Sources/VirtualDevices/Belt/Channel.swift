extension VirtualBelt {
    /// A vibration in progress: a shape, where it points, and how far it is.
    struct Channel: Hashable, Sendable {
        var shape: Pattern
        var target: Target
        /// In percent; nil for the belt's default.
        var intensity: Int?
        /// The length of an iteration.
        var period: Duration
        /// When the pattern's timer was zero.
        var origin: Duration
        /// When it is over; nil for never.
        var end: Duration?
        var isExclusive = false
        /// When it was configured: of two exclusive ones, the younger plays.
        var configuredAt: Duration = .zero

        /// Where a vibration is felt.
        enum Target: Hashable, Sendable {
            case mask(UInt16)
            case motor(Int)
            /// Degrees from the front.
            case angle(Int)
            /// Degrees from magnetic north.
            case bearing(Int)

            /// Reads the type and the value of a packet; nil for an unknown type. Values beyond the circle wrap.
            init?(type: UInt8, value: Int) {
                switch type {
                case 0: self = .mask(UInt16(truncatingIfNeeded: value))
                case 1: self = .motor(value % 16)
                case 2: self = .angle(value % 360)
                case 3: self = .bearing(value % 360)
                default: return nil
                }
            }

            /// The motors at which it points while the belt's front has this heading.
            func motors(heading: Int) -> [Int] {
                switch self {
                case .mask(let mask): (0..<16).filter { mask >> UInt16($0) & 1 == 1 }
                case .motor(let motor): [motor]
                case .angle(let angle): [Self.nearest(angle)]
                case .bearing(let bearing): [Self.nearest(bearing - heading)]
                }
            }

            /// The motor nearest to an angle; each covers 22.5 degrees, motor 0 those around the front.
            private static func nearest(_ angle: Int) -> Int {
                let turned = ((angle % 360) + 360) % 360
                return (turned * 100 + 1125) / 2250 % 16
            }
        }

        /// Begins a shape now.
        ///
        /// - Parameters:
        ///   - iterations: How often; nil or not positive for ever.
        ///   - period: The length of an iteration; nil or zero for the shape's own.
        ///   - startTime: The value of the pattern's timer at first.
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

        /// The motors that run now, with their strength in percent.
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

        /// When something begins or ends next.
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
    /// The time since the last whole multiple of `period`; never negative. A period of nothing leaves nothing.
    func modulo(_ period: Duration) -> Duration {
        guard period > .zero else { return .zero }
        let rest = nanoseconds % period.nanoseconds
        return .nanoseconds(rest < 0 ? rest + period.nanoseconds : rest)
    }

    /// In whole nanoseconds; those of nearly three hundred years fit.
    private var nanoseconds: Int64 {
        components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
    }
}
