extension Timeline {
    /// Compiles a pattern.
    ///
    /// - Parameters:
    ///   - pattern: The pattern. Values outside 0 to 1 are clamped.
    ///   - scale: A factor for every intensity.
    ///   - passes: The number of repetitions, at least one.
    public init(_ pattern: Pattern, scale: Double = 1, passes: Int = 1) {
        let intensity = ControlTrack(.intensity, pattern.changes)
        let sharpness = ControlTrack(.sharpness, pattern.changes)
        let pieces = pattern.events.map { Piece($0, intensity, sharpness) }.filter { $0.end > $0.start }
        let length = pieces.map(\.end).max() ?? 0
        var edges = Set(pieces.flatMap { [$0.start, $0.end] })
        edges.formUnion(intensity.edges(until: length))
        edges.formUnion(sharpness.edges(until: length))
        let moments = edges.filter { $0 <= length }.sorted()

        var waiting = pieces.sorted { $0.start < $1.start }[...]
        var active: [Piece] = []
        var steps: [Step] = []
        for (start, end) in zip(moments, moments.dropFirst()) {
            while let piece = waiting.first, piece.start <= start {
                active.append(piece)
                waiting.removeFirst()
            }
            active.removeAll { $0.end <= start }
            let middle = (Double(start) + Double(end)) / 2000
            guard !active.isEmpty else { continue }
            let controls = (intensity: intensity.value(at: middle), sharpness: sharpness.value(at: middle))
            var strongest: Step?
            for piece in active {
                let strength = piece.intensity(controls.intensity) * min(max(scale, 0), 1)
                guard strength > strongest?.intensity ?? 0 else { continue }
                strongest = Step(
                    start: .milliseconds(start), length: .milliseconds(end - start), intensity: strength,
                    sharpness: piece.sharpness(controls.sharpness), tap: piece.tap)
            }
            if let strongest { Self.append(strongest, to: &steps) }
        }
        let spaced = pieces.map {
            $0.tap == nil ? $0.end : $0.start + Int(Self.tapSpacing / .milliseconds(1))
        }
        self.init(
            steps: steps, length: .milliseconds(length),
            period: .milliseconds(max(length, spaced.max() ?? 0)), passes: max(1, passes),
            lost: pattern.hasEnvelopes ? ["envelope"] : [])
    }

    /// Appends a step, or extends the last step if the values are equal.
    private static func append(_ step: Step, to steps: inout [Step]) {
        if let last = steps.last, last.end == step.start, last.intensity == step.intensity,
            last.sharpness == step.sharpness, last.tap == step.tap
        {
            steps[steps.count - 1].length += step.length
        } else {
            steps.append(step)
        }
    }

    /// An event with times in whole milliseconds.
    private struct Piece {
        var start: Int
        var end: Int
        var tap: Tap?
        private var event: Event
        /// The control values at the start of a tap, which apply to its whole length.
        private var fixed: (intensity: Double, sharpness: Double)?

        init(_ event: Event, _ intensity: ControlTrack, _ sharpness: ControlTrack) {
            self.event = event
            start = Int((event.time * 1000).rounded())
            switch event.kind {
            case .continuous: end = max(start, Int((event.end * 1000).rounded()))
            case .transient:
                fixed = (intensity.value(at: event.time), sharpness.value(at: event.time))
                let tap = Tap(sharpness: Self.clamp(event.sharpness + sharpness.value(at: event.time)))
                self.tap = tap
                end = start + tap.milliseconds
            }
        }

        func intensity(_ control: Double) -> Double {
            Self.clamp(Self.clamp(event.intensity) * (fixed?.intensity ?? control))
        }

        func sharpness(_ control: Double) -> Double {
            Self.clamp(event.sharpness + (fixed?.sharpness ?? control))
        }

        private static func clamp(_ value: Double) -> Double { min(max(value, 0), 1) }
    }
}

extension Pattern {
    /// Whether the pattern has envelopes or changes of envelope controls.
    fileprivate var hasEnvelopes: Bool {
        changes.contains { $0.control != .intensity && $0.control != .sharpness }
            || events.contains { event in
                if case .continuous(_, let envelope) = event.kind { !envelope.isPlain } else { false }
            }
    }
}
