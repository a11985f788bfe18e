public import JSON

extension Pattern {
    /// Reads a list of events with the keys of topics and of YAML files: `time`, `kind`, `duration`, `intensity`,
    /// `sharpness`. Unknown keys and numbers out of range are rejected; nothing is clamped.
    ///
    /// - Throws: ``HapticsError`` with the location, below `path`.
    public init(events value: JSON.Value, path: String = "events") throws(HapticsError) {
        let nodes = try Node(value: value, path: path).elements(limit: Self.maximumCount)
        var events: [Event] = []
        for node in nodes { events.append(try Event(node)) }
        guard !events.isEmpty else { throw HapticsError(.missing, path, "at least one event") }
        self.init(events)
    }

    /// Reads the contents of a YAML file: `events`, and an optional `description`.
    ///
    /// - Throws: ``HapticsError`` with the location.
    public init(file value: JSON.Value) throws(HapticsError) {
        guard let keys = value.object?.keys else {
            throw HapticsError(.invalid, "the top level", "a mapping with events, got \(value.kind)")
        }
        if let other = keys.first(where: { $0 != "events" && $0 != "description" }) {
            // An empty key needs a visible location as well.
            let place = other.isEmpty ? "\"\"" : other
            throw HapticsError(.invalid, place, "not known here; allowed: description events")
        }
        let root = Node(value: value, path: "")
        self = try Pattern(events: root.required("events").value)
        if let description = try root.member("description") {
            metadata = ["Description": .string(try description.text())]
        }
    }
}

extension Event {
    private static let keys = ["time", "kind", "duration", "intensity", "sharpness"]

    /// Reads one event with the keys of topics.
    init(_ node: Node) throws(HapticsError) {
        for key in try node.object().keys where !Self.keys.contains(key) {
            throw HapticsError(
                .invalid, "\(node.path).\(key)",
                "not known here; allowed: \(Self.keys.joined(separator: " "))")
        }
        let kind = try node.required("kind")
        let time = try node.member("time")?.number(in: 0...Pattern.maximumTime) ?? 0
        let intensity = try node.member("intensity")?.number(in: 0...1) ?? 1
        let sharpness = try node.member("sharpness")?.number(in: 0...1) ?? 0.5
        switch kind.value {
        case "transient":
            if let duration = try node.member("duration") {
                throw HapticsError(.invalid, duration.path, "only a continuous event has a duration")
            }
            self.init(time: time, .transient, intensity: intensity, sharpness: sharpness)
        case "continuous":
            let duration = try node.required("duration")
            guard try duration.number(in: 0...Self.maximumDuration) > 0 else {
                throw HapticsError(.outOfRange, duration.path, "more than 0 seconds, got \(duration.value)")
            }
            self.init(
                time: time, .continuous(duration: try duration.number()), intensity: intensity,
                sharpness: sharpness)
        default: throw kind.mismatch("one of transient continuous")
        }
    }
}
