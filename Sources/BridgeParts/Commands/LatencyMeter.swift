/// The smoothed duration of writes to a device. To make several devices start at the same moment, the bridge sends each
/// write earlier by this duration.
package struct LatencyMeter: Sendable {
    /// The weight of a new measurement in the moving average.
    private static let weight = 0.25
    /// The value assumed before the first measurement: a few typical connection intervals.
    private static let assumed = Duration.milliseconds(50)
    /// The longest measurement that is used; longer measurements are capped, because such a link counts as stuck.
    private static let limit = Duration.milliseconds(500)

    private var smoothed: Duration?

    /// The time from the request of a write to its completion.
    package var value: Duration { smoothed ?? Self.assumed }

    package mutating func add(_ time: Duration) {
        let time = min(max(time, .zero), Self.limit)
        smoothed = smoothed.map { $0 + (time - $0) * Self.weight } ?? time
    }
}
