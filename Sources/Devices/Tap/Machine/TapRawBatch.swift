import JSON

/// Collects raw values for a while, so that they go out as one message.
struct TapRawBatch: Sendable {
    /// For how long; zero does not collect at all.
    let time: Duration
    private var values: [JSON.Value] = []

    init(_ time: Duration) { self.time = time }

    /// Whether each value goes out by itself.
    var isOff: Bool { time == .zero }

    /// Adds a value; true for the first one, from which the time is counted.
    mutating func add(_ value: JSON.Value) -> Bool {
        values.append(value)
        return values.count == 1
    }

    /// What was collected, as it is published; nil for nothing.
    mutating func take() -> JSON.Value? {
        guard !values.isEmpty else { return nil }
        defer { values.removeAll(keepingCapacity: true) }
        return .array(values)
    }
}
