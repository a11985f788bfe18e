extension Timeline {
    /// The maximum number of steps in all passes of two timelines that are mixed. More steps would delay the event
    /// loop.
    public static let maximumMixed = 10_000

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
        var lost = lost.union(older.lost)
        let lanes = Self.joined(unrolled(from: delay) + older.unrolled(from: start), &lost)
        let length = lanes.compactMap(\.steps.last?.end).max() ?? .zero
        return Timeline(lanes: lanes, length: length, period: length, passes: 1, lost: lost)
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
                        // What remains of a tap is a vibration. A short rest would be felt as a second tap.
                        if step.tap != nil, step.length < .milliseconds(Tap.shortest) { continue }
                        step.tap = nil
                    }
                    if step.length > .zero { steps.append(step) }
                }
            }
            return Lane(steps, at: lane.place)
        }
    }

    /// Joins lanes at the same place, so that each place has one lane.
    ///
    /// - Parameter lost: The set to which the losses are added.
    static func joined(_ lanes: [Lane], _ lost: inout Set<Loss>) -> [Lane] {
        var places: [Place] = []
        for lane in lanes where !places.contains(lane.place) { places.append(lane.place) }
        return places.map { place in
            Lane(steps(of: lanes.filter { $0.place == place }, &lost), at: place)
        }
    }

    /// Returns the steps that are felt if all lanes are at one place: taps with a pause before the next tap, and at each
    /// time the strongest step.
    ///
    /// - Parameter lost: The set to which the losses are added.
    static func steps(of lanes: [Lane], _ lost: inout Set<Loss>) -> [Step] {
        let lanes = lanes.filter { !$0.steps.isEmpty }
        guard lanes.count > 1 else { return lanes.first?.steps ?? [] }
        var pieces = lanes.flatMap(\.steps).map { TimedEvent($0) }
        lost.formUnion(TimedEvent.separateTaps(&pieces))
        return strongest(of: pieces, &lost)
    }

    /// Appends a step, or extends the last step if the values are equal.
    static func append(_ step: Step, to steps: inout [Step]) {
        if let last = steps.last, step.continues(last) {
            steps[steps.count - 1].length += step.length
        } else {
            steps.append(step)
        }
    }
}

extension Timeline.Step {
    /// Whether this step has the values of another step and starts when it ends, so that both are felt as one.
    func continues(_ last: Timeline.Step) -> Bool {
        last.end == start && last.intensity == intensity && last.sharpness == sharpness && last.tap == tap
            && last.place == place
    }
}
