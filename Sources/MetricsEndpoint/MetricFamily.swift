/// Samples with the same metric name, in Prometheus' text format 0.0.4
/// (https://prometheus.io/docs/instrumenting/exposition_formats/).
package struct MetricFamily: Hashable, Sendable {
    package enum Kind: String, Sendable {
        /// The metric only grows until the process exits.
        case counter
        /// The metric increases and decreases.
        case gauge
        /// The metric counts measurements by size.
        case histogram
    }

    /// A value of the metric.
    package struct Sample: Hashable, Sendable {
        /// A name and a value that distinguish a sample from others of the same metric.
        package struct Label: Hashable, Sendable {
            package var name: String
            package var value: String
        }

        /// The text that is appended to the metric's name, such as `_bucket`; only samples of a histogram have one.
        var suffix = ""
        package var labels: [Label] = []
        var value: Double
    }

    /// The name, with its unit at the end: `tactile_bridge_command_seconds`.
    package var name: String
    /// A description in one sentence for users; empty for no description.
    package var help: String
    package var kind: Kind
    /// The samples; a family without samples is omitted.
    package var samples: [Sample]

    /// The lines of the family; empty if it has no samples.
    var text: String {
        guard !samples.isEmpty else { return "" }
        let name = Self.identifier(name)
        var text = help.isEmpty ? "" : "# HELP \(name) \(Self.escaped(help, quotes: false))\n"
        text += "# TYPE \(name) \(kind.rawValue)\n"
        for sample in samples {
            text += name + sample.suffix
            if !sample.labels.isEmpty {
                let labels = sample.labels.map {
                    "\(Self.identifier($0.name))=\"\(Self.escaped($0.value, quotes: true))\""
                }
                text += "{\(labels.joined(separator: ","))}"
            }
            text += " \(Self.number(sample.value))\n"
        }
        return text
    }

    /// Returns a number in the format of Prometheus.
    static func number(_ value: Double) -> String {
        guard value.isFinite else { return value.isNaN ? "NaN" : value < 0 ? "-Inf" : "+Inf" }
        return Int(exactly: value).map(String.init) ?? value.description
    }

    /// Returns a valid name: letters, digits and `_`, not starting with a digit. Other bytes become `_`.
    private static func identifier(_ name: String) -> String {
        let bytes = name.utf8.map { byte in
            let isLetter = (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            return isLetter || (0x30...0x39).contains(byte) ? byte : UInt8(ascii: "_")
        }
        let text = String(decoding: bytes, as: UTF8.self)
        return bytes.first.map { (0x30...0x39).contains($0) } ?? true ? "_\(text)" : text
    }

    private static func escaped(_ text: String, quotes: Bool) -> String {
        let text = text.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
        return quotes ? text.replacing("\"", with: "\\\"") : text
    }
}

extension MetricFamily {
    /// Creates a family whose samples differ in one label.
    init(
        _ name: String, _ kind: Kind, _ help: String, by label: String,
        _ values: KeyValuePairs<String, Int>
    ) {
        self.init(
            name: name, help: help, kind: kind,
            samples: values.map {
                Sample(labels: [.init(name: label, value: $0.key)], value: Double($0.value))
            })
    }

    /// Creates a family with one sample; without samples if there is no value.
    init(_ name: String, _ kind: Kind, _ help: String, _ value: Double?) {
        self.init(name: name, help: help, kind: kind, samples: value.map { [Sample(value: $0)] } ?? [])
    }
}
