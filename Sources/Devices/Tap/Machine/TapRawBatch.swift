import JSON

/// Collects raw values for some time, to publish them as one message.
struct TapRawBatch: Sendable {
    /// How long values are collected; zero switches batching off.
    let time: Duration
    private var values: [JSON.Value] = []

    init(_ time: Duration) { self.time = time }

    /// Whether each value is published separately, because ``time`` is zero.
    var isOff: Bool { time == .zero }

    /// Adds a value. Returns true for the first value, which starts the collection period.
    mutating func add(_ value: JSON.Value) -> Bool {
        values.append(value)
        return values.count == 1
    }

    /// Removes the collected values and returns them in the published format; nil if there are none.
    mutating func take() -> JSON.Value? {
        guard !values.isEmpty else { return nil }
        defer { values.removeAll(keepingCapacity: true) }
        return .array(values)
    }
}
