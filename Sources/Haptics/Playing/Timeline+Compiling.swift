extension Timeline {
    /// The smallest difference of intensity at which a tap is felt next to another vibration.
    private static let tapContrast = 0.1

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
            let steps = Self.steps(pieces, controls, min(max(scale, 0), 1), &lost)
            lanes.append(Lane(steps, at: place.map { .position($0) } ?? .whole))
        }
        self.init(
            lanes: lanes, length: .milliseconds(length), period: .milliseconds(max(length, period)),
            passes: max(1, passes), lost: lost)
    }

    private static func steps(
        _ pieces: [TimedEvent], _ controls: Controls, _ scale: Double, _ lost: inout Set<Loss>
    ) -> [Step] {
        let length = pieces.map(\.end).max() ?? 0
        var edges = Set(pieces.flatMap { [$0.start, $0.end] })
        edges.formUnion(controls.intensity.edges(until: length))
        edges.formUnion(controls.sharpness.edges(until: length))
        let moments = edges.filter { $0 <= length }.sorted()

        var waiting = pieces.sorted { $0.start < $1.start }[...]
        var active: [TimedEvent] = []
        var steps: [Step] = []
        /// The time for which each tap is felt, because no stronger event hides it. Both the key, the tap's start, and
        /// the value are in milliseconds.
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
                let isFelt =
                    intensity > least
                    || intensity == least && intensity > 0 && piece.tap != nil && strongest?.piece.tap == nil
                if isFelt { strongest = (intensity, piece) }
            }
            guard let (intensity, piece) = strongest else { continue }
            append(
                Step(
                    start: .milliseconds(start), length: .milliseconds(end - start), intensity: intensity,
                    sharpness: piece.sharpness(values.1), tap: piece.tap), to: &steps)
            if piece.tap != nil { felt[piece.start, default: 0] += end - start }
        }
        let isHidden = pieces.contains { piece in
            piece.tap != nil && piece.intensity(1) * scale > 0 && felt[piece.start] ?? 0 < Tap.shortest
        }
        if isHidden || hasFlatTap(steps) { lost.insert(.timing) }
        return steps
    }

    /// Whether any tap cannot be felt as separate: a neighboring step of almost the same intensity follows or precedes
    /// it without a pause.
    private static func hasFlatTap(_ steps: [Step]) -> Bool {
        zip(steps, steps.dropFirst()).contains { step, next in
            (step.tap != nil || next.tap != nil) && step.end == next.start
                && abs(step.intensity - next.intensity) < tapContrast
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
