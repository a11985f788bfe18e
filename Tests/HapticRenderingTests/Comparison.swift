import Haptics

/// Compares what is felt on a device with what is requested.
struct Comparison {
    private let device: Device
    private let worn: Worn
    private let start: Duration

    /// How far the shown times can be from the requested times. A TAP counts in units of 10 ms. On a belt, the vibrations
    /// of two places can start at the same time, but the link carries one write in 15 ms.
    private var tolerance: Duration {
        switch device.name {
        case "belt": .milliseconds(17)
        case "TAP": .milliseconds(10)
        default: .milliseconds(2)
        }
    }
    /// The difference of durations that a wearer can feel.
    private static let noticeable = Duration.milliseconds(20)

    init(_ device: Device, _ worn: Worn, since start: Duration) {
        (self.device, self.worn, self.start) = (device, worn, start)
    }

    /// The motor of a belt at which events with a position are felt; nil for a device with one place.
    private func motor(_ position: Position?) -> Int? {
        device.name == "belt" ? (position?.degrees ?? 0) * 16 / 360 : nil
    }

    /// What is not felt although the answer does not report it, in words.
    ///
    /// - Parameter first: The time after which events are examined.
    func unreported(
        _ asked: [AskedEvent], _ report: Set<String>, after first: Duration = .zero
    ) -> [String] {
        guard device.name != "belt" || !report.contains("position") else { return [] }
        return Set(asked.map { motor($0.position) }).flatMap { motor in
            let events = asked.filter { self.motor($0.position) == motor }
            return unreported(events, report, after: first, worn.felt(since: start, at: motor))
        }
    }

    private func unreported(
        _ events: [AskedEvent], _ report: Set<String>, after first: Duration, _ felt: FeltCurve
    ) -> [String] {
        guard felt.changes.last?.strength ?? 0 == 0 else { return ["the end"] }
        guard !report.contains("timing") else { return [] }
        let showsIntensity = !report.contains("intensity")
        var missing: [String] = []
        for event in events where event.start >= first {
            if event.isTap || event.startsAfterSilence(of: events),
                !felt.hasOnset(near: event.start, within: tolerance)
            {
                missing.append("a start at \(event.start)")
            }
            guard showsIntensity, event.isAlone(among: events),
                let pulse = felt.pulse(near: event.start, within: tolerance)
            else { continue }
            if abs(pulse.strength - event.intensity) > 0.21 {
                missing.append("the strength at \(event.start)")
            }
            if event.isTap, !report.contains("sharpness"), event.isDull != (pulse.length > .milliseconds(50))
            {
                missing.append("the sharpness at \(event.start)")
            }
        }
        let later = events.filter { $0.start >= first }
        guard let end = events.map(\.end).max(), let last = later.map(\.end).max() else { return missing }
        if felt.end > end + Self.noticeable { missing.append("the end at \(end), not at \(felt.end)") }
        if showsIntensity, felt.end < last - Self.noticeable { missing.append("all until \(last)") }
        if device.name != "TAP", felt.pulses > events.count { missing.append("\(felt.pulses) pulses") }
        return missing
    }
}
