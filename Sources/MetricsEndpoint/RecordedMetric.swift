/// A duration that is recorded through swift-metrics and served as a histogram.
package struct RecordedMetric: Sendable {
    /// The name of the metric, which is the label of its instruments in swift-metrics.
    let name: String
    /// A description in one sentence for users.
    let help: String
    /// The names of the metric's dimensions.
    var labels: [String] = []

    /// All metrics that the program records.
    package static let all = [
        RecordedMetric(
            name: "tactile_bridge_command_seconds",
            help: "The time from a command that was carried out to its answer.", labels: ["family"]),
        RecordedMetric(
            name: "tactile_bridge_echo_seconds",
            help: "The round trip of the bridge's messages to itself."),
        RecordedMetric(
            name: "tactile_bridge_fleet_hand_over_seconds",
            help: "How long a device that was taken over had no bridge, if known.",
            labels: ["reason"]),
        RecordedMetric(
            name: "tactile_bridge_mqtt_acknowledgement_seconds",
            help: "The time from a publication to the broker's acknowledgment."),
    ]

    /// The metric as the reference of metrics lists it: with a histogram that has no measurements.
    package var family: MetricFamily {
        let labels = (labels + ["le"]).map { MetricFamily.Sample.Label(name: $0, value: "") }
        return MetricFamily(
            name: name, help: help, kind: .histogram,
            samples: [.init(suffix: "_bucket", labels: labels, value: 0)])
    }
}
