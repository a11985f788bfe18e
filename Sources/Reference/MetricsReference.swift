import BridgeConfiguration
import BridgeContract
import HostServices
import Messages
import MetricsEndpoint
import Terminal

/// All metrics as a person looks them up, made of the families that a bridge with one device serves.
struct MetricsReference: Sendable {
    /// The families that one source gives.
    struct Section: Sendable {
        /// The heading.
        var title: String
        /// The families, with the samples of an example.
        var families: [MetricFamily]
    }

    /// Labels whose values name something of the installation.
    private static let open: Set = ["bridge", "version", "device", "family", "what", "le"]

    /// The sections, in the order in which `/metrics` has them.
    let sections: [Section]

    init() {
        sections = [
            Section(
                title: "The bridge and its devices",
                families: MetricsCollector.families(.example, id: "attic", version: TactileBridge.version)),
            Section(title: "The broker", families: MetricsCollector.families(BrokerStatistics())),
            Section(title: "Durations", families: RecordedMetric.all.map(\.family)),
            Section(title: "The process", families: ProcessFigures.current?.families ?? []),
        ]
    }

    /// For documents: one table a section.
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

    /// The labels, each with its values where there is a fixed set of them.
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
