/// A duration that is recorded through swift-metrics and served as a histogram.
package struct RecordedMetric: Sendable {
    /// The label for recording.
    let name: String
    /// One sentence for users.
    let help: String
    /// The names of its dimensions.
    var labels: [String] = []

    /// All metrics that the program records.
    package static let all = [
        RecordedMetric(
            name: "tactile_bridge_command_seconds",
            help: "How long commands took that were carried out, until the answer.", labels: ["family"]),
        RecordedMetric(
            name: "tactile_bridge_echo_seconds",
            help: "How long the bridge's messages to itself took, there and back."),
        RecordedMetric(
            name: "tactile_bridge_fleet_hand_over_seconds",
            help: "For how long nobody had a device that came from another bridge, where that is known.",
            labels: ["reason"]),
        RecordedMetric(
            name: "tactile_bridge_mqtt_acknowledgement_seconds",
            help: "How long the broker's acknowledgements took, from publishing on."),
    ]

    /// Its family with a sample without measurements, for the reference.
    package var family: MetricFamily {
        let labels = (labels + ["le"]).map { MetricFamily.Sample.Label(name: $0, value: "") }
        return MetricFamily(
            name: name, help: help, kind: .histogram,
            samples: [.init(suffix: "_bucket", labels: labels, value: 0)])
    }
}
