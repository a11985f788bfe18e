/// The values of a pattern's intensity and sharpness controls over time.
struct Controls {
    let intensity: ControlTrack
    let sharpness: ControlTrack

    init(_ changes: [Change]) {
        intensity = ControlTrack(.intensity, changes)
        sharpness = ControlTrack(.sharpness, changes)
    }
}

/// An event of a pattern, or a step of a compiled pattern, with its times rounded to whole milliseconds.
struct TimedEvent {
    private(set) var start: Int
    private(set) var end: Int
    /// The kind of tap; nil for a vibration, and for taps that are too close to be distinguished.
    private(set) var tap: Tap?
    /// Where the event is felt.
    let place: Timeline.Place
    private let event: Event
    /// The value of the intensity control at the start of a tap, which applies to the whole tap; nil for a vibration.
    private let fixedIntensity: Double?

    init(_ event: Event, _ controls: Controls) {
        self.event = event
        place = event.position.map { .position($0) } ?? .whole
        start = Int((event.time * 1000).rounded())
        switch event.kind {
        case .continuous:
            end = max(start, Int((event.end * 1000).rounded()))
            fixedIntensity = nil
        case .transient:
            let tap = Tap(sharpness: Self.clamp(event.sharpness))
            self.tap = tap
            end = start + tap.milliseconds
            fixedIntensity = controls.intensity.value(at: event.time)
        }
    }

    /// Creates a value from a step, whose intensity and sharpness already include the controls.
    init(_ step: Timeline.Step) {
        event = Event(time: 0, .transient, intensity: step.intensity, sharpness: step.sharpness)
        (place, tap, fixedIntensity) = (step.place, step.tap, 1)
        start = Int((step.start / .milliseconds(1)).rounded())
        end = Int((step.end / .milliseconds(1)).rounded())
    }

    /// Returns the intensity of the event for a value of the intensity control.
    func intensity(_ control: Double) -> Double {
        Self.clamp(Self.clamp(event.intensity) * (fixedIntensity ?? control))
    }

    /// Returns the sharpness of the event for a value of the sharpness control. This control does not change taps, as
    /// Apple documents for `hapticSharpnessControl`.
    func sharpness(_ control: Double) -> Double {
        Self.clamp(event.sharpness + (event.kind == .transient ? 0 : control))
    }

    /// Shortens taps so that a pause precedes the next tap. Taps that are too close become one vibration.
    ///
    /// - Returns: The properties of the taps that are lost.
    static func separateTaps(_ events: inout [TimedEvent]) -> Set<Loss> {
        let taps = events.indices.filter { events[$0].tap != nil }
            .sorted { events[$0].start < events[$1].start }
        var lost: Set<Loss> = []
        /// The loop visits the taps from the last to the first. `current` is the start time of the taps that were
        /// visited last, and `next` the start time of the taps that follow them in the pattern.
        var (current, next): (Int?, Int?) = (nil, nil)
        for index in taps.reversed() {
            guard let tap = events[index].tap, events[index].intensity(1) > 0 else { continue }
            let start = events[index].start
            if let current, current > start { next = current }
            current = start
            guard let next else { continue }
            if let length = tap.milliseconds(before: next - start) {
                events[index].end = min(events[index].end, start + length)
                if tap == .long, length <= Tap.short.milliseconds { lost.insert(.sharpness) }
            } else {
                (events[index].end, events[index].tap) = (next, nil)
                lost.insert(.timing)
            }
        }
        return lost
    }

    private static func clamp(_ value: Double) -> Double { min(max(value, 0), 1) }
}
