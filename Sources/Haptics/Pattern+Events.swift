public import JSON

extension Pattern {
    /// Reads a list of events in the words of topics and of YAML files: `time`, `kind`, `duration`, `intensity`,
    /// `sharpness`. Nothing is drawn to its limits here: a key that is not known or a number out of range is refused.
    ///
    /// - Throws: ``HapticsError`` with the place, below `path`.
    public init(events value: JSON.Value, path: String = "events") throws(HapticsError) {
        let nodes = try Node(value: value, path: path).elements(limit: Self.maximumCount)
        var events: [Event] = []
        for node in nodes { events.append(try Event(node)) }
        guard !events.isEmpty else { throw HapticsError(.missing, path, "at least one event") }
        self.init(events)
    }

    /// Reads what a YAML file says: `events`, and a `description` for people.
    ///
    /// - Throws: ``HapticsError`` with the place.
    public init(file value: JSON.Value) throws(HapticsError) {
        guard let keys = value.object?.keys else {
            throw HapticsError(.invalid, "the top level", "a mapping with events, got \(value.kind)")
        }
        if let other = keys.first(where: { $0 != "events" && $0 != "description" }) {
            // An empty key has a place, too.
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

    /// Reads one event in the words of topics.
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
