import BridgeConfiguration
import BridgeContract
import HostServices
import Messages
import MetricsEndpoint
import Terminal

/// The reference of all metrics, generated from the metrics of a bridge with one device.
struct MetricsReference: Sendable {
    /// The metrics of one source, such as the broker client.
    struct Section: Sendable {
        var title: String
        /// The metrics, with example values.
        var families: [MetricFamily]
    }

    /// The labels whose values depend on the installation. The reference omits their values.
    private static let open: Set = ["bridge", "version", "device", "family", "what", "le", "adapter"]

    /// The sections, in the order of `/metrics`.
    let sections: [Section]

    init() {
        sections = [
            Section(
                title: "The bridge and its devices",
                families: MetricsCollector.families(.example, id: "attic", version: TactileBridge.version)),
            Section(
                title: "The broker",
                families: MetricsCollector.families(BrokerStatistics()) + [
                    MetricsCollector.family(
                        certificates: MQTTSettings.Certificate.Role.allCases.map { ($0.rawValue, 90) })
                ]),
            Section(
                title: "The Bluetooth proxies",
                families: MetricsCollector.families([
                    ProxyFigures(name: "proxy/kitchen", freeSlots: 3, advertisements: 0)
                ])),
            Section(title: "Durations", families: RecordedMetric.all.map(\.family)),
            Section(title: "The process", families: ProcessFigures.current?.families ?? []),
        ]
    }

    /// The reference in Markdown: one table for each section.
    var markdown: String {
        sections.map { section in
            var table = MarkdownTable(["metric", "type", "labels", "meaning"])
            for family in section.families {
                table.add([
                    MarkdownTable.code(family.name), family.kind.rawValue, Self.labels(family),
                    MarkdownTable.escaped(family.help),
                ])
            }
            return (["## \(section.title)", ""] + table.lines).joined(separator: "\n")
        }.joined(separator: "\n\n")
    }

    /// Returns the labels of a metric, each with its values if the set of values is fixed.
    private static func labels(_ family: MetricFamily) -> String {
        var values: [(name: String, words: [String])] = []
        for label in family.samples.flatMap(\.labels) {
            let index = values.firstIndex { $0.name == label.name } ?? values.endIndex
            if index == values.endIndex { values.append((label.name, [])) }
            if !values[index].words.contains(label.value) { values[index].words.append(label.value) }
        }
        return values.map { name, words in
            let all = words.map { MarkdownTable.code($0) }.joined(separator: " ")
            return MarkdownTable.code(name) + (open.contains(name) ? "" : " (\(all))")
        }.joined(separator: ", ")
    }
}
