import Foundation
import Testing

@Suite("The dashboard and the alerts of deploy/monitoring")
struct MonitoringTests {
    /// The series of the bridge with their labels, from docs/reference/metrics.md.
    private static func series() throws -> [String: Set<String>] {
        let page = try #require(Repository.text("docs/reference/metrics.md"))
        var series: [String: Set<String>] = [:]
        for line in page.split(separator: "\n") where line.hasPrefix("| `") {
            let cells = line.split(separator: "|", omittingEmptySubsequences: false)
            let words = cells[1].matches(of: /`([^`]+)`/)
            let name = String(try #require(words.first).1)
            // The names of labels come first, their values are in brackets.
            let labels = cells[3].replacing(/\([^)]*\)/, with: "").matches(of: /`([^`]+)`/)
            let names = Set(labels.map { String($0.1) })
            if cells[2].contains("histogram") {
                series["\(name)_bucket"] = names
                for part in ["sum", "count"] { series["\(name)_\(part)"] = names.subtracting(["le"]) }
            } else {
                series[name] = names
            }
        }
        try #require(series.count > 30, "\(series.keys)")
        return series
    }

    /// The labels that Prometheus adds.
    private static let added: Set = ["instance", "job"]

    private static func strings(_ value: Any, at key: String) -> [String] {
        switch value {
        case let object as [String: Any]:
            object.flatMap { ($0.key == key ? [$0.value as? String ?? ""] : []) + strings($0.value, at: key) }
        case let list as [Any]: list.flatMap { strings($0, at: key) }
        default: []
        }
    }

    private static func dashboardQueries() throws -> [String] {
        let text = try #require(Repository.text("deploy/monitoring/grafana-dashboard.json"))
        return strings(try JSONSerialization.jsonObject(with: Data(text.utf8)), at: "expr")
    }

    private static func alertQueries() throws -> [String] {
        let text = try #require(Repository.text("deploy/monitoring/alerts.yaml"))
        let found = text.matches(of: /\n +expr: (?:\|\n((?: {10}.*\n)+)|(.+)\n)/)
        return found.map { String($0.1 ?? $0.2 ?? "") }
    }

    /// The errors of a query: unknown metrics, and labels that none of its metrics has.
    private static func mistakes(_ query: String, _ series: [String: Set<String>]) -> [String] {
        let names = query.matches(of: /\b(tactile_bridge_\w+|process_\w+|up)\b/).map { String($0.1) }
        let known = names.filter { $0 == "up" || series[$0] != nil }
        let labels = known.reduce(into: added) { $0.formUnion(series[$1] ?? []) }
        let used =
            query.matches(of: /[{,]\s*(\w+)\s*(?:=|!)/).map { String($0.1) }
            + query.matches(of: /\bby \(([^)]*)\)/).flatMap { match in
                match.1.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
            }
        return (names.isEmpty ? ["no metric"] : []) + names.filter { !known.contains($0) }
            + used.filter { !labels.contains($0) }.map { "the label \($0)" }
    }

    @Test("Every metric and every label in them exists")
    func metrics() throws {
        let series = try Self.series()
        let (dashboard, alerts) = (try Self.dashboardQueries(), try Self.alertQueries())
        #expect(dashboard.count > 15 && alerts.count > 8)
        for query in dashboard + alerts {
            #expect(Self.mistakes(query, series).isEmpty, "\(query)")
        }
    }

    @Test(
        "An unknown metric or label is detected",
        arguments: [
            ("tactile_bridge_broker == 0", ["tactile_bridge_broker"]),
            ("sum by (device) (tactile_bridge_mqtt_queued_messages)", ["the label device"]),
            ("tactile_bridge_device_writes_total{outcome=\"ok\"}", ["the label outcome"]),
            ("tactile_bridge_echo_seconds", ["tactile_bridge_echo_seconds"]), ("1 > 0", ["no metric"]),
            ("sum by (family, le) (rate(tactile_bridge_command_seconds_bucket[5m]))", []),
        ])
    func finds(_ query: String, _ mistakes: [String]) throws {
        #expect(Self.mistakes(query, try Self.series()) == mistakes)
    }

    @Test("Every alert has its own expression, a severity, and advice")
    func alerts() throws {
        let text = try #require(Repository.text("deploy/monitoring/alerts.yaml"))
        func count(_ word: String) -> Int { text.components(separatedBy: word).count - 1 }
        let alerts = count("- alert: ")
        #expect(try Self.alertQueries().count == alerts)
        #expect(["critical", "warning", "info"].map { count("severity: \($0) ") }.reduce(0, +) == alerts)
        #expect(count(" summary: ") == alerts && count(" action: ") == alerts)
        let tested = try #require(Repository.text("deploy/monitoring/alerts.test.yaml"))
        for match in tested.matches(of: /alertname: (\w+)/) {
            #expect(text.contains("- alert: \(match.1)\n"), "\(match.1)")
        }
    }
}
