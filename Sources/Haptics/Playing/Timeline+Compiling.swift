extension Timeline {
    /// The smallest difference of intensity at which two vibrations without a pause are felt as two.
    private static let contrast = 0.1

    /// Compiles a pattern.
    ///
    /// - Parameters:
    ///   - pattern: The pattern. Values outside 0 to 1 are clamped.
    ///   - scale: A factor for every intensity.
    ///   - passes: The number of times the pattern is played, at least one.
    public init(_ pattern: Pattern, scale: Double = 1, passes: Int = 1) {
        let controls = Controls(pattern.changes)
        var places: [Position?] = []
        for event in pattern.events where !places.contains(event.position) { places.append(event.position) }
        var lost: Set<Loss> = pattern.hasEnvelopes ? [.envelope] : []
        var (length, period) = (0, 0)
        var lanes: [Lane] = []
        for place in places {
            let events = pattern.events.filter { $0.position == place }
            var pieces = events.map { TimedEvent($0, controls) }.filter { $0.end > $0.start }
            length = max(length, pieces.map(\.end).max() ?? 0)
            for piece in pieces where piece.tap != nil {
                period = max(period, piece.start + Int(Self.tapSpacing / .milliseconds(1)))
            }
            lost.formUnion(TimedEvent.separateTaps(&pieces))
            let steps = Self.strongest(
                of: pieces, &lost, controls: controls, scale: min(max(scale, 0), 1))
            lanes.append(Lane(steps, at: place.map { .position($0) } ?? .whole))
        }
        period = max(length, period)
        let requested = Int((pattern.period * 1000).rounded())
        if passes > 1, requested > 0, requested < period { lost.insert(.timing) }
        self.init(
            lanes: lanes, length: .milliseconds(length), period: .milliseconds(max(period, requested)),
            passes: max(1, passes), lost: lost)
    }

    /// Returns the steps that are felt if the events are at one place: at each time, those of the strongest event.
    ///
    /// - Parameter lost: The set to which `timing` is added if a tap is hidden by a stronger event.
    static func strongest(
        of pieces: [TimedEvent], _ lost: inout Set<Loss>, controls: Controls = Controls([]),
        scale: Double = 1
    ) -> [Step] {
        let length = pieces.map(\.end).max() ?? 0
        var edges = Set(pieces.flatMap { [$0.start, $0.end] })
        edges.formUnion(controls.intensity.edges(until: length))
        edges.formUnion(controls.sharpness.edges(until: length))
        let moments = edges.filter { $0 <= length }.sorted()

        var waiting = pieces.sorted { $0.start < $1.start }[...]
        var active: [TimedEvent] = []
        var steps: [Step] = []
        /// The time for which each tap is felt from its start on, before a stronger event hides it. Both the key, the
        /// tap's start, and the value are in milliseconds.
        var felt: [Int: Int] = [:]
        for (start, end) in zip(moments, moments.dropFirst()) {
            while let piece = waiting.first, piece.start <= start {
                active.append(piece)
                waiting.removeFirst()
            }
            active.removeAll { $0.end <= start }
            let middle = (Double(start) + Double(end)) / 2000
            guard !active.isEmpty else { continue }
            let values = (controls.intensity.value(at: middle), controls.sharpness.value(at: middle))
            var strongest: (intensity: Double, piece: TimedEvent)?
            for piece in active {
                let intensity = piece.intensity(values.0) * scale
                let least = strongest?.intensity ?? 0
                // Of equal events, a tap is felt; of equal taps, the longest.
                let isFelt =
                    intensity > least
                    || intensity == least && intensity > 0 && piece.tap != nil
                        && (strongest?.piece.tap == nil || strongest?.piece.end ?? 0 < piece.end)
                if isFelt { strongest = (intensity, piece) }
            }
            guard let (intensity, piece) = strongest else { continue }
            var step = Step(
                start: .milliseconds(start), length: .milliseconds(end - start), intensity: intensity,
                sharpness: piece.sharpness(values.1), tap: piece.tap, at: piece.place)
            // What remains of a tap after a stronger event is felt as a vibration, not as a second tap.
            if start > piece.start, !(steps.last.map(step.continues) ?? false) { step.tap = nil }
            if step.tap != nil { felt[piece.start, default: 0] += end - start }
            append(step, to: &steps)
        }
        let isHidden = pieces.contains { piece in
            piece.tap != nil && piece.intensity(1) * scale > 0 && felt[piece.start] ?? 0 < Tap.shortest
        }
        if isHidden { lost.insert(.timing) }
        return steps
    }

    /// Whether two neighboring steps that are separate in the pattern are felt as one: the pause between them is too
    /// short, or none separates a tap, and their intensities are almost equal.
    ///
    /// - Parameter period: If the steps are repeated, the time after which they start again.
    public static func runsTogether(_ steps: [Step], every period: Duration? = nil) -> Bool {
        var following = steps.dropFirst()
        if let period, var first = steps.first {
            first.start += period
            following.append(first)
        }
        return zip(steps, following).contains { step, next in
            let pause = next.start - step.end
            return pause < .milliseconds(Tap.shortest) && abs(step.intensity - next.intensity) < contrast
                && (pause > .zero || step.tap != nil || next.tap != nil)
        }
    }
}

extension Pattern {
    /// Whether the pattern has envelopes or changes of envelope controls.
    var hasEnvelopes: Bool {
        changes.contains { $0.control != .intensity && $0.control != .sharpness }
            || events.contains { event in
                if case .continuous(_, let envelope) = event.kind { !envelope.isPlain } else { false }
            }
    }
}
