import JSON

/// Reads one haptic clip (`.haptic`) of Lofelt and Meta Haptics Studio, version 1.
///
/// A clip has one continuous signal with an envelope for its amplitude and an envelope for its frequency. Points of the
/// amplitude envelope can be emphasized. The reader follows the makers' own conversion to Core Haptics
/// (`core/datamodel/src/ios/v1.rs` of Lofelt/NiceVibrations): intensity and sharpness are the square roots of amplitude
/// and frequency, an emphasis is a tap, and the signal has 80 % of its intensity at an emphasis.
struct ClipReader {
    private(set) var remarks = Remarks()
    private var pattern = Pattern([])

    /// The maximum number of points of an envelope.
    private static let maximumPoints = 10_000
    /// The factor for the intensity of the signal at an emphasized point.
    private static let ducking = 0.8
    /// If an emphasis is stronger than the signal, the time, in seconds, until the signal returns to its own intensity.
    private static let accent = 0.01

    private struct Breakpoint {
        var time: Double
        var intensity: Double
        var emphasis: Event?
    }

    mutating func read(_ value: JSON.Value) throws(HapticsError) -> Pattern {
        let root = Node(value: value, path: "")
        guard value.object != nil else {
            throw HapticsError(.invalid, "the top level", "an object, got \(value.kind)")
        }
        let major = try root.required("version").required("major")
        guard try major.number() == 1 else { throw major.mismatch("1") }
        pattern.metadata = try metadata(root)
        let envelopes = try root.required("signals").required("continuous").required("envelopes")
        let points = try amplitude(envelopes.required("amplitude"))
        guard let first = points.first, let last = points.last else {
            throw HapticsError(.missing, "signals.continuous.envelopes.amplitude", "at least one point")
        }
        if points.contains(where: { $0.intensity > 0 }) {
            let length = last.time - first.time
            for start in stride(from: 0, to: length, by: Event.maximumDuration) {
                let part = min(Event.maximumDuration, length - start)
                pattern.events.append(
                    Event(time: first.time + start, .continuous(duration: part), intensity: 1, sharpness: 0))
            }
            try appendFrequency(envelopes)
        }
        appendAmplitude(points)
        guard !pattern.events.isEmpty else {
            throw HapticsError(.invalid, "signals", "contains no vibration")
        }
        return pattern
    }

    private func metadata(_ root: Node) throws(HapticsError) -> JSON.Object? {
        guard let metadata = try root.member("metadata") else { return nil }
        var kept: JSON.Object = [:]
        for (key, name) in [("project", "Project"), ("author", "Created"), ("description", "Description")] {
            if let text = try metadata.member(key)?.value.string, !text.isEmpty { kept[name] = .string(text) }
        }
        return kept.isEmpty ? nil : kept
    }

    // MARK: Envelopes

    private mutating func amplitude(_ place: Node) throws(HapticsError) -> [Breakpoint] {
        var points: [Breakpoint] = []
        for node in try place.elements(limit: Self.maximumPoints) {
            let time = try time(node, after: points.last?.time ?? 0)
            var point = Breakpoint(
                time: time,
                intensity: try remarks.number(node.required("amplitude"), clampedTo: 0...1).squareRoot())
            if let emphasis = try node.member("emphasis"), emphasis.value != .null {
                point.intensity *= Self.ducking
                let amplitude = try remarks.number(emphasis.required("amplitude"), clampedTo: 0...1)
                let sharpness = try remarks.number(emphasis.required("frequency"), clampedTo: 0...1)
                point.emphasis = Event(
                    time: time, .transient, intensity: amplitude.squareRoot(), sharpness: sharpness)
            }
            points.append(point)
        }
        return points
    }

    private mutating func appendFrequency(_ envelopes: Node) throws(HapticsError) {
        guard let place = try envelopes.member("frequency"), place.value != .null else { return }
        var points: [Change.Point] = []
        for node in try place.elements(limit: Self.maximumPoints) {
            let frequency = try remarks.number(node.required("frequency"), clampedTo: 0...1)
            points.append(
                .init(time: try time(node, after: points.last?.time ?? 0), value: frequency.squareRoot()))
        }
        if !points.isEmpty { pattern.changes += Change.curves(.sharpness, time: 0, points) }
    }

    /// Returns the time of a point, in seconds. A time before the previous point is changed to the time of the previous
    /// point.
    private mutating func time(_ node: Node, after last: Double) throws(HapticsError) -> Double {
        try remarks.number(node.required("time"), clampedTo: last...Pattern.maximumTime)
    }

    // MARK: Emphasis

    /// Appends the intensity curve of the signal, and a tap for each emphasis.
    ///
    /// The intensity control also changes taps. At the start of a tap that is stronger than the signal, the curve
    /// therefore has the intensity of the tap.
    private mutating func appendAmplitude(_ points: [Breakpoint]) {
        var curve: [Change.Point] = []
        for (index, point) in points.enumerated() {
            curve.append(.init(time: point.time, value: point.intensity))
            guard var tap = point.emphasis else { continue }
            if pattern.events.count >= Pattern.maximumCount {
                remarks.add(
                    "the emphasis at \(point.time) s: only the first \(Pattern.maximumCount) events are played"
                )
                continue
            }
            if tap.intensity > point.intensity {
                pattern.changes += Change.curves(.intensity, time: 0, curve)
                pattern.changes.append(Change(.intensity, time: point.time, .step(tap.intensity)))
                curve = Self.resumption(at: point, points.dropFirst(index + 1).first)
                tap.intensity = 1
            } else if point.intensity > 0 {
                tap.intensity /= point.intensity
            }
            pattern.events.append(tap)
        }
        if !curve.isEmpty { pattern.changes += Change.curves(.intensity, time: 0, curve) }
    }

    /// Returns the point at which the signal resumes after a tap that interrupted it; empty if the signal has another
    /// point before this time.
    private static func resumption(at point: Breakpoint, _ next: Breakpoint?) -> [Change.Point] {
        guard let next, next.time > point.time + accent else { return [] }
        let share = accent / (next.time - point.time)
        let value = point.intensity + (next.intensity - point.intensity) * share
        return [Change.Point(time: point.time + accent, value: value)]
    }
}

extension AHAPFile {
    /// Parses the text of a haptic clip (`.haptic`).
    ///
    /// - Throws: ``HapticsError`` with the location.
    public init(parsingClip bytes: some Collection<UInt8>) throws(HapticsError) {
        var reader = ClipReader()
        let pattern = try reader.read(JSON.Value(designerFile: bytes))
        self.init(pattern, remarks: reader.remarks.list)
    }
}
