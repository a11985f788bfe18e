extension VirtualBelt {
    /// What a vibration feels like within one iteration: pulses of motors.
    public struct Pattern: Hashable, Sendable {
        /// The pulses, in the order of their start.
        public var pulses: [Pulse]
        /// The duration of an iteration if the command contains no period.
        public var length: Duration

        /// Creates a pattern from pulses.
        public init(_ pulses: [Pulse], length: Duration) {
            self.pulses = pulses
            self.length = length
        }

        /// A time in which motors run without a break.
        public struct Pulse: Hashable, Sendable {
            /// When the pulse starts, relative to the start of the iteration.
            public var start: Duration
            /// How long the pulse lasts; nil for a pulse that lasts until the end of the iteration.
            public var length: Duration?
            /// The motors that run; nil for the motors that the command selects.
            public var motors: [Int]?
            /// The strength, in percent of the command's intensity.
            public var strength: Int

            /// Creates a pulse.
            public init(start: Duration, length: Duration?, motors: [Int]? = nil, strength: Int = 100) {
                self.start = start
                self.length = length
                self.motors = motors
                self.strength = strength
            }
        }

        /// Creates a pattern from alternating on and off times, in milliseconds, starting with an on time.
        public init(onAndOff milliseconds: [Int]) {
            var time = Duration.zero
            var pulses: [Pulse] = []
            for (index, duration) in milliseconds.enumerated() {
                if index.isMultiple(of: 2) {
                    pulses.append(Pulse(start: time, length: .milliseconds(duration)))
                }
                time += .milliseconds(duration)
            }
            self.init(pulses, length: max(time, .milliseconds(500)))
        }

        /// Creates a pattern that moves across groups of motors. Each group runs for `milliseconds`.
        public init(walking groups: [[Int]], milliseconds: Int) {
            let pulses = groups.enumerated().map { index, motors in
                Pulse(
                    start: .milliseconds(index * milliseconds), length: .milliseconds(milliseconds),
                    motors: motors)
            }
            self.init(pulses, length: .milliseconds(groups.count * milliseconds))
        }
    }
}

extension VirtualBelt.Pattern {
    /// A plausible pattern for each pattern number. No document defines how the patterns feel; one library suggests
    /// that a single long pulse lasts about 500 ms.
    public static let plausible: [UInt8: Self] = {
        var shapes: [UInt8: Self] = [
            0: Self([], length: .milliseconds(500)),
            1: Self([Pulse(start: .zero, length: nil)], length: .milliseconds(500)),
            2: Self(onAndOff: [150]),
            3: Self(onAndOff: [500]),
            4: Self(onAndOff: [150, 150, 150]),
            5: Self(onAndOff: [500, 250, 500]),
            6: Self(walking: [[14, 2], [12, 4], [10, 6], [8]], milliseconds: 100),
            7: Self(walking: (0..<16).map { [$0] }, milliseconds: 50),
            8: Self(
                (0..<5).map {
                    Pulse(
                        start: .milliseconds($0 * 100), length: .milliseconds(100), strength: 100 - $0 * 20)
                },
                length: .milliseconds(500)),
            9: Self(
                (0..<3).map {
                    Pulse(
                        start: .milliseconds($0 * 600), length: .milliseconds(300), motors: [0, 4, 8, 12])
                },
                length: .milliseconds(2500)),
            10: Self(walking: [13, 14, 15, 0, 1, 2, 3].map { [$0] }, milliseconds: 80),
        ]
        for level in 0...15 {
            var shape = Self(walking: (0...level).map { [$0] }, milliseconds: 60)
            shape.pulses[level].length = .milliseconds(500)
            shape.length += .milliseconds(500)
            shapes[UInt8(11 + level)] = shape
        }
        return shapes
    }()
}
