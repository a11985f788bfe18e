extension Pattern {
    /// Returns the pattern as events only, for file formats without curves and envelopes, and remarks that describe the
    /// differences.
    ///
    /// The values of the controls become part of the events: vibrations are divided into steps with constant intensity.
    public func flattened() -> (pattern: Pattern, remarks: [String]) {
        var flat = Pattern([], metadata: metadata)
        var remarks: [String] = []
        if hasEnvelopes { remarks.append("envelopes are not written") }
        guard changes.contains(where: { $0.control == .intensity || $0.control == .sharpness }) else {
            flat.events = events.map { event in
                var event = event
                if case .continuous(let duration, _) = event.kind {
                    event.kind = .continuous(duration: duration)
                }
                return event
            }
            return (flat, remarks)
        }
        let controls = Controls(changes)
        let taps = events.filter { $0.kind == .transient }.map { tap in
            var tap = tap
            tap.intensity = TimedEvent(tap, controls).intensity(1)
            return tap
        }
        let vibrations = Timeline(
            Pattern(events.filter { $0.kind != .transient }, changes: changes))
        var slot = 10
        var parts: [Event] = []
        repeat {
            parts = vibrations.lanes.flatMap { Self.slices($0.steps, .milliseconds(slot)) }
            slot *= 2
        } while parts.count + taps.count > Self.maximumCount && slot < Int(Self.maximumTime * 1000)
        if !parts.isEmpty { remarks.append("curves are written as steps of \(slot / 2) ms") }
        let events = (taps + parts).sorted { $0.time < $1.time }
        flat.events = Array(events.prefix(Self.maximumCount).prefix { $0.time <= Self.maximumTime })
        if let first = events.dropFirst(flat.events.count).first {
            remarks.append("the pattern is written only until \(Self.text(first.time)) s")
        }
        return (flat, remarks)
    }

    /// Divides each sequence of steps without a pause into slots of equal length, and returns one event for each slot,
    /// with the mean intensity and sharpness of the steps in the slot. Equal neighboring events become one event.
    private static func slices(_ steps: [Timeline.Step], _ slot: Duration) -> [Event] {
        var slices: [Event] = []
        var index = 0
        while index < steps.count {
            var last = index
            while last + 1 < steps.count, steps[last + 1].start == steps[last].end { last += 1 }
            var start = steps[index].start
            while start < steps[last].end {
                let end = min(start + slot, steps[last].end)
                while steps[index].end <= start { index += 1 }
                append(slice(steps[index...last], start, end), to: &slices)
                start = end
            }
            index = last + 1
        }
        return slices
    }

    /// Returns an event with the mean intensity and sharpness of the steps between two times.
    private static func slice(
        _ steps: ArraySlice<Timeline.Step>, _ start: Duration, _ end: Duration
    ) -> Event {
        var (intensity, sharpness) = (0.0, 0.0)
        for step in steps {
            guard step.start < end else { break }
            let share = (min(end, step.end) - max(start, step.start)) / (end - start)
            intensity += share * step.intensity
            sharpness += share * step.sharpness
        }
        let place = steps.first?.place
        let position: Position? = if case .position(let position) = place { position } else { nil }
        return Event(
            time: start / .seconds(1), .continuous(duration: (end - start) / .seconds(1)),
            intensity: (intensity * 1000).rounded() / 1000, sharpness: (sharpness * 1000).rounded() / 1000,
            at: position)
    }

    private static func append(_ slice: Event, to slices: inout [Event]) {
        if let last = slices.last, case .continuous(let before, _) = last.kind,
            case .continuous(let duration, _) = slice.kind, abs(last.end - slice.time) < 0.0005,
            last.intensity == slice.intensity, last.sharpness == slice.sharpness,
            before + duration <= Event.maximumDuration
        {
            slices[slices.count - 1].kind = .continuous(duration: before + duration)
        } else {
            slices.append(slice)
        }
    }
}
