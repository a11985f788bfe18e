/// How long writes to a device take, smoothed, so that devices can be made to begin at one moment.
package struct LatencyMeter: Sendable {
    /// How much of a new measurement counts.
    private static let weight = 0.25
    /// What is assumed of a link that was not measured yet: a few ordinary connection intervals.
    private static let assumed = Duration.milliseconds(50)
    /// Where a link is so slow that it is stuck rather than slow.
    private static let limit = Duration.milliseconds(500)

    private var smoothed: Duration?

    /// The time from asking for a write to its completion.
    package var value: Duration { smoothed ?? Self.assumed }

    /// Takes a measurement.
    package mutating func add(_ time: Duration) {
        let time = min(max(time, .zero), Self.limit)
        smoothed = smoothed.map { $0 + (time - $0) * Self.weight } ?? time
    }
}
