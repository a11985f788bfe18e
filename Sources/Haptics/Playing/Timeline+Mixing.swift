extension Timeline {
    /// The maximum number of steps in all passes of two timelines that are mixed. More steps would delay the event
    /// loop.
    private static let maximumMixed = 10_000

    /// Mixes this timeline with the remainder of an older timeline. Of overlapping steps at the same place, only the
    /// strongest step is kept.
    ///
    /// - Parameters:
    ///   - delay: The time until this timeline starts.
    ///   - older: The older timeline.
    ///   - start: The time until the older timeline starts; negative if it has already started.
    /// - Returns: A timeline that starts now; nil if it would have too many steps.
    public func mixed(
        after delay: Duration, with older: Timeline, startingAfter start: Duration
    ) -> Timeline? {
        let counts = [self, older].map { timeline in
            timeline.passes * timeline.lanes.reduce(0) { $0 + $1.steps.count }
        }
        guard counts.reduce(0, +) <= Self.maximumMixed else { return nil }
        var lanes: [Lane] = []
        for (timeline, start) in [(self, delay), (older, start)] {
            for lane in timeline.unrolled(from: start) { Self.add(lane, to: &lanes) }
        }
        let length = lanes.compactMap(\.steps.last?.end).max() ?? .zero
        return Timeline(
            lanes: lanes, length: length, period: length, passes: 1, lost: lost.union(older.lost))
    }

    /// Returns the steps of all passes, without steps that are already over. All times are relative to the current
    /// time; the first pass starts at `start`.
    private func unrolled(from start: Duration) -> [Lane] {
        lanes.map { lane in
            var steps: [Step] = []
            for pass in 0..<passes {
                for var step in lane.steps {
                    step.start += start + period * pass
                    if step.start < .zero {
                        step.length += step.start
                        step.start = .zero
                        if step.tap != nil, step.length < .milliseconds(Tap.shortest) { continue }
                    }
                    if step.length > .zero { steps.append(step) }
                }
            }
            return Lane(steps, at: lane.place)
        }
    }

    /// Adds a lane to the list. If the list already has a lane at the same place, joins the steps of both lanes.
    static func add(_ lane: Lane, to lanes: inout [Lane]) {
        guard let index = lanes.firstIndex(where: { $0.place == lane.place }) else {
            return lanes.append(lane)
        }
        lanes[index].steps = strongest(lanes[index].steps, lane.steps)
    }

    /// Joins two sequences of steps. Where both sequences have a step, the stronger step is kept; of two equally strong
    /// steps, the tap.
    static func strongest(_ first: [Step], _ second: [Step]) -> [Step] {
        guard !first.isEmpty, !second.isEmpty else { return first + second }
        let edges = Set((first + second).flatMap { [$0.start, $0.end] }).sorted()
        var (left, right) = (first[...], second[...])
        var joined: [Step] = []
        for (start, end) in zip(edges, edges.dropFirst()) {
            while let step = left.first, step.end <= start { left.removeFirst() }
            while let step = right.first, step.end <= start { right.removeFirst() }
            let felt = [left.first, right.first].compactMap { $0 }.filter { $0.start <= start }
            let strongest = felt.max {
                ($0.intensity, $0.tap == nil ? 0 : 1) < ($1.intensity, $1.tap == nil ? 0 : 1)
            }
            guard var step = strongest else { continue }
            (step.start, step.length) = (start, end - start)
            append(step, to: &joined)
        }
        return joined
    }

    /// Appends a step, or extends the last step if the values are equal.
    static func append(_ step: Step, to steps: inout [Step]) {
        if let last = steps.last, last.end == step.start, last.intensity == step.intensity,
            last.sharpness == step.sharpness, last.tap == step.tap, last.place == step.place
        {
            steps[steps.count - 1].length += step.length
        } else {
            steps.append(step)
        }
    }
}
