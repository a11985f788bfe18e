package import BridgeConfiguration
import BridgeContract
package import DeviceKit
import JSON

/// The reference of all topics: the payloads with examples, and how to send commands.
///
/// The reference is generated from the declared features.
package struct TopicReference: Sendable {
    struct Entry: Sendable {
        /// The topic, with placeholders such as `<id>` for names.
        var topic: String
        /// The kind of the topic's messages: `state`, `event`, `stream`, or `command` followed by the traits of the
        /// command.
        var kind: String
        /// A description in one sentence.
        var summary: String
        /// The keys of the payload, if it is an object.
        var fields: [Field]
        /// The other forms of the payload, in words.
        var forms: [String]
        /// The additional fields of a successful answer.
        var answers: [Field] = []
        /// An example of a payload.
        var example: String
        /// A shell command that sends the example; nil for a topic that clients only read.
        var line: String?
    }

    /// The topics of one family, of groups, of the bridge, or those that every device has.
    struct Section: Sendable {
        /// The name in JSON: `device`, `bridge`, a family's name.
        var name: String
        var title: String
        var entries: [Entry]
        /// The features in the form of the topic `<device>/features`.
        var features: JSON.Value
    }

    /// The sections, in the order in which the reference shows them.
    private(set) var sections: [Section]

    /// Creates the reference of all families, of groups and of the bridge.
    package init(_ families: [any DeviceFamily]) {
        sections = [Self.everyDevice] + families.map(Self.section) + [Self.groups, Self.bridge(families)]
    }

    /// Creates the reference of some families, without the topics that all devices have.
    package init(only families: [any DeviceFamily]) { sections = families.map(Self.section) }

    /// Adapts the shell commands to the broker and the base topic of a configuration.
    package mutating func lead(to mqtt: MQTTSettings) {
        for section in sections.indices {
            for entry in sections[section].entries.indices {
                guard let words = sections[section].entries[entry].line?.split(separator: " ", maxSplits: 3),
                    words.count == 4
                else { continue }
                // `words` has the parts of `mosquitto_pub -t TOPIC -m PAYLOAD`: words[2] is the topic, words[3] the
                // rest.
                sections[section].entries[entry].line =
                    "\(mqtt.publishing) -t \(mqtt.word(String(words[2]))) \(words[3])"
            }
        }
    }

    /// The device's id and the bridge's id in examples.
    private static let (exampleID, exampleBridge) = ("a1b2c3", "attic")

    private static func section(_ family: any DeviceFamily) -> Section {
        let (name, example) =
            switch family.naming {
            case .single: (family.name, family.name)
            case .each: ("\(family.name)/<id>", "\(family.name)/\(exampleID)")
            }
        return Section(
            name: family.name, title: family.displayName,
            entries: entries(family.features, at: { topics(name, $0) }, tryAt: { topics(example, $0) }),
            features: FeatureReference.value(family.features) { topics(example, $0) })
    }

    private static var everyDevice: Section {
        Section(
            name: "device", title: "Every device",
            entries: entries(
                DeviceFeatures.all, at: { topics("<device>", $0) }, tryAt: { topics("belt", $0) }),
            features: FeatureReference.value(DeviceFeatures.all) { topics("belt", $0) })
    }

    private static var groups: Section {
        let (command, stop, result) = (GroupFeatures.command, GroupFeatures.stop, GroupFeatures.result)
        let all = [result, stop]
        var entries = Self.entries([command], at: { topics("<group>", $0) }) { _ in
            topics("all/belts", "vibrate")
        }
        for index in entries.indices { entries[index].forms = ["the payload of the feature"] }
        entries += Self.entries([result], at: { topics("<group>", $0) }, tryAt: { topics("all", $0) })
        entries += Self.entries([stop], at: { topics("all", $0) }, tryAt: { topics("all", $0) })
        entries += Self.entries(
            [GroupFeatures.zoneStop], at: { topics(GroupFeatures.zone("<zone>"), $0) },
            tryAt: { topics(GroupFeatures.zone("upstairs"), $0) })
        return Section(
            name: "groups", title: "Groups", entries: entries,
            features: FeatureReference.value(all) { topics("all", $0) })
    }

    private static func bridge(_ families: [any DeviceFamily]) -> Section {
        func place(_ bridge: String) -> FeatureReference.Place {
            { ("bridge/\(bridge)/\($0)", "bridge/\(bridge)/request/\($0)") }
        }
        let features = BridgeFeatures.reports + BridgeFeatures.requests(families)
        let group = GroupFeatures.state(of: "<group>")
        let described = Entry(
            BridgeFeatures.familyFeature, BridgeFeatures.family, topic: "bridge/<bridge>/features/<family>")
        let response = Entry(
            Feature("response", "The result of a request.", report: BridgeFeatures.response),
            BridgeFeatures.response, topic: "bridge/<bridge>/response/<request>")
        var entries =
            entries(features + [group], at: place("<bridge>"), tryAt: place(exampleBridge))
            + [described, response]
        for (_, feature, topic) in BridgeFeatures.ofFleet {
            guard let report = feature.report else { continue }
            let topic = topic.replacing("{address}", with: "<address>")
            entries.append(Entry(feature, report, topic: topic))
        }
        return Section(
            name: "bridge", title: "The bridge itself", entries: entries,
            features: FeatureReference.value(features, at: place(exampleBridge)))
    }

    @Sendable private static func topics(_ device: String, _ feature: String) -> (String, String) {
        ("\(device)/\(feature)", "\(device)/\(feature)/set")
    }

    private static func entries(
        _ features: [Feature], at place: FeatureReference.Place, tryAt example: FeatureReference.Place
    ) -> [Entry] {
        features.flatMap { feature in
            let topic = place(feature.name)
            var entries: [Entry] = []
            if let report = feature.report { entries.append(Entry(feature, report, topic: topic.report)) }
            if let command = feature.command {
                entries.append(
                    Entry(feature, command, topic: topic.command, tryAt: example(feature.name).command))
            }
            return entries
        }
    }
}

extension TopicReference.Entry {
    init(_ feature: Feature, _ report: Report, topic: String) {
        self.init(
            topic: topic, kind: report.kind.rawValue, summary: feature.summary, fields: [], forms: [],
            example: report.example.string ?? report.example.description)
        switch report.payload {
        case .plain(let type, let unit):
            let allowed = type.allowed + (report.isNullable ? ", or null" : "")
            forms = [allowed + (unit.map { " (\($0))" } ?? "")]
        case .object(let fields):
            self.fields = fields
            forms = report.alternatives.map(\.description)
            guard report.kind == .event, report.example["time"] == nil,
                case .object(var example) = report.example
            else { return }
            // The bridge adds `time` and `seq` to every event, so the example of the family does not contain them.
            example["time"] = "2026-01-31T12:00:00.000Z"
            example["seq"] = 1
            self.example = JSON.Value.object(example).description
        }
    }

    init(_ feature: Feature, _ command: Command, topic: String, tryAt example: String) {
        self.init(
            topic: topic, kind: (["command"] + command.traits.names).joined(separator: ", "),
            summary: feature.summary, fields: command.fields, forms: [],
            example: command.example.string ?? command.example.description,
            line: command.line(topic: example))
        let words = command.shorthands.compactMap { shorthand -> String? in
            guard case .word(let word, _) = shorthand else { return nil }
            return word
        }
        answers = command.answers
        forms += command.shorthands.compactMap { $0.bareField.map { "a bare \($0.name)" } }
        if !words.isEmpty { forms.append("the word \(words.joined(separator: ", "))") }
        if command.empty != nil { forms.append("an empty payload") }
        forms += command.rules.map(\.sentence)
    }
}

extension Field {
    /// The allowed values, with unit, default and whether the field is required.
    var description: String {
        var text = type.allowed
        if let unit { text += " (\(unit))" }
        if isNullable { text += ", or null" }
        if let value = `default`, value != .null { text += "; default \(value.string ?? value.description)" }
        if isRequired { text += "; required" }
        return text
    }
}
