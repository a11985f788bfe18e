/// Figures of one name, as Prometheus reads them: text format 0.0.4
/// (https://prometheus.io/docs/instrumenting/exposition_formats/).
package struct MetricFamily: Hashable, Sendable {
    /// What may be done with the figures.
    package enum Kind: String, Sendable {
        /// Only grows, until the process ends.
        case counter
        /// Goes up and down.
        case gauge
        /// Counts measurements by their size.
        case histogram
    }

    /// One figure.
    package struct Sample: Hashable, Sendable {
        /// A name and a value that tell it from its siblings.
        package struct Label: Hashable, Sendable {
            package var name: String
            package var value: String
        }

        /// What stands behind the family's name; only in a histogram.
        var suffix = ""
        package var labels: [Label] = []
        var value: Double
    }

    /// The name, with its unit at the end: `tactile_bridge_command_seconds`.
    package var name: String
    /// One sentence for a person; empty for none.
    package var help: String
    /// What may be done with the figures.
    package var kind: Kind
    /// The figures; without any the family is not shown.
    package var samples: [Sample]

    /// The family's lines; empty if it has no figures.
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

    /// The word for a bound of a histogram, and for any other figure.
    static func number(_ value: Double) -> String {
        guard value.isFinite else { return value.isNaN ? "NaN" : value < 0 ? "-Inf" : "+Inf" }
        return Int(exactly: value).map(String.init) ?? value.description
    }

    /// A name that is allowed: letters, digits and `_`, no digit in front; other bytes become `_`.
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
    /// Figures of one name, told from each other by one label.
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

    /// A single figure; none if there is no value.
    init(_ name: String, _ kind: Kind, _ help: String, _ value: Double?) {
        self.init(name: name, help: help, kind: kind, samples: value.map { [Sample(value: $0)] } ?? [])
    }
}
