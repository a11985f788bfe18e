package import DeviceKit
package import JSON

/// Writes declared features for machines, as the `features` topic shows those of a device.
package enum FeatureReference {
    /// The topics under which a feature is published and commanded.
    package typealias Place = @Sendable (_ feature: String) -> (report: String, command: String)

    static func value(_ family: any DeviceFamily, device: String, _ topics: Topics) -> JSON.Value {
        value(family.features) { (topics.report(device, $0), topics.command(device, $0)) }
    }

    /// One entry a feature: kind, summary, topic, fields, example, and under `set` what it takes.
    package static func value(_ features: [Feature], at place: Place) -> JSON.Value {
        var object = JSON.Object()
        for feature in features { object[feature.name] = .object(entry(feature, place(feature.name))) }
        return .object(object)
    }

    private static func entry(
        _ feature: Feature, _ topic: (report: String, command: String)
    ) -> JSON.Object {
        var entry: JSON.Object = [
            "kind": .string(feature.report?.kind.rawValue ?? "command"), "summary": .string(feature.summary),
        ]
        if let report = feature.report {
            entry["topic"] = .string(topic.report)
            switch report.payload {
            case .plain(let type, let unit):
                entry["payload"] = .string(type.allowed)
                entry["unit"] = unit.map { .string($0) }
            case .object(let fields): entry["fields"] = .object(describe(fields))
            }
            entry["example"] = report.example
            if !report.alternatives.isEmpty { entry["alternatives"] = .array(report.alternatives) }
        }
        if let command = feature.command {
            entry["set"] = .object(describe(command, topic: topic.command))
        }
        return entry
    }

    private static func describe(_ command: Command, topic: String) -> JSON.Object {
        var object: JSON.Object = ["topic": .string(topic), "fields": .object(describe(command.fields))]
        let shorthands = command.shorthands.map { shorthand in
            switch shorthand {
            case .field(let name), .word(let name, _): JSON.Value.string(name)
            }
        }
        if !shorthands.isEmpty { object["shorthand"] = .array(shorthands) }
        let traits = command.traits.names
        if !traits.isEmpty { object["traits"] = .array(traits.map { .string($0) }) }
        if !command.answers.isEmpty { object["answer"] = .object(describe(command.answers)) }
        object["try"] = .string(command.line(topic: topic))
        return object
    }

    private static func describe(_ fields: [Field]) -> JSON.Object {
        var object = JSON.Object()
        for field in fields {
            var entry: JSON.Object = [
                "type": .string(field.type.word), "allowed": .string(field.type.allowed),
            ]
            entry["unit"] = field.unit.map { .string($0) }
            entry["default"] = field.default
            if field.isRequired { entry["required"] = true }
            entry["summary"] = .string(field.summary)
            object[field.name] = .object(entry)
        }
        return object
    }
}
