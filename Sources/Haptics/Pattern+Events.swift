public import JSON

extension Pattern {
    /// Reads a list of events with the keys that commands and YAML files use: `time`, `kind`, `duration`, `intensity`,
    /// `sharpness`, `position`. Unknown keys and numbers out of range are rejected, not clamped.
    ///
    /// - Throws: ``HapticsError`` with the location, which starts with `path`.
    public init(events value: JSON.Value, path: String = "events") throws(HapticsError) {
        let nodes = try Node(value: value, path: path).elements(limit: Self.maximumCount)
        var events: [Event] = []
        for node in nodes { events.append(try Event(node)) }
        guard !events.isEmpty else { throw HapticsError(.missing, path, "at least one event") }
        self.init(events)
    }

    /// Reads the contents of a YAML file: `events`, an optional `description`, and an optional `position` for events
    /// without a `position`.
    ///
    /// - Throws: ``HapticsError`` with the location.
    public init(file value: JSON.Value) throws(HapticsError) {
        guard let keys = value.object?.keys else {
            throw HapticsError(.invalid, "the top level", "a mapping with events, got \(value.kind)")
        }
        if let other = keys.first(where: { !Self.keys.contains($0) }) {
            // An empty key is shown as `""`, so that the error has a visible location.
            let place = other.isEmpty ? "\"\"" : other
            throw HapticsError(
                .invalid, place, "not known here; allowed: \(Self.keys.joined(separator: " "))")
        }
        let root = Node(value: value, path: "")
        self = try Pattern(events: root.required("events").value)
        if let description = try root.member("description") {
            metadata = ["Description": .string(try description.text())]
        }
        if let position = try root.position() {
            for index in events.indices where events[index].position == nil {
                events[index].position = position
            }
        }
    }

    private static let keys = ["description", "events", "position"]
}

extension Event {
    private static let keys = ["time", "kind", "duration", "intensity", "sharpness", "position"]

    /// Reads one event with the keys that commands use.
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
        let position = try node.position()
        switch kind.value {
        case "transient":
            if let duration = try node.member("duration") {
                throw HapticsError(.invalid, duration.path, "only a continuous event has a duration")
            }
            self.init(
                time: time, .transient, intensity: intensity, sharpness: sharpness, at: position)
        case "continuous":
            let duration = try node.required("duration")
            guard try duration.number(in: 0...Self.maximumDuration) > 0 else {
                throw HapticsError(.outOfRange, duration.path, "more than 0 seconds, got \(duration.value)")
            }
            self.init(
                time: time, .continuous(duration: try duration.number()), intensity: intensity,
                sharpness: sharpness, at: position)
        default: throw kind.mismatch("one of transient continuous")
        }
    }
}
