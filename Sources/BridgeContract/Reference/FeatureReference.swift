package import DeviceKit
package import JSON

/// Describes declared features in machine-readable form.
///
/// One message of the bridge, ``family(_:_:)``, describes all devices of a family. The message of a device,
/// ``device(_:lacking:name:_:)``, contains the topics of its features and the topic of its family's message.
package enum FeatureReference {
    /// Returns the topics of a feature's report and command.
    package typealias Place = @Sendable (_ feature: String) -> (report: String, command: String)

    /// The key of the member that contains the family's name, in the messages of devices and families.
    static let familyKey = "family"

    /// The message of a family: the declaration of each feature, without topics.
    package static func family(_ name: String, _ features: [Feature]) -> JSON.Value {
        var object: JSON.Object = [familyKey: ["name": .string(name)]]
        for entry in value(features).object?.members ?? [] { object[entry.key] = entry.value }
        return .object(object)
    }

    /// The message of a device: the kind and the topics of each feature, and the topic of its family's message.
    ///
    /// - Parameter lacking: The declared features that the device lacks.
    package static func device(
        _ family: any DeviceFamily, lacking: Lacking = Lacking(), name: String, _ topics: Topics
    ) -> JSON.Value {
        var object: JSON.Object = [
            familyKey: ["name": .string(family.name), "topic": .string(topics.features(of: family.name))]
        ]
        for feature in family.features.compactMap(lacking.reduced) {
            var entry: JSON.Object = ["kind": .string(kind(feature))]
            if feature.report != nil { entry["topic"] = .string(topics.report(name, feature.name)) }
            if feature.command != nil {
                entry["set"] = ["topic": .string(topics.command(name, feature.name))]
            }
            object[feature.name] = .object(entry)
        }
        return .object(object)
    }

    private static func kind(_ feature: Feature) -> String { feature.report?.kind.rawValue ?? "command" }

    /// One entry for each feature: kind, summary, topic, fields, example, and under `set` the command.
    ///
    /// A report and a request with the same name share an entry. If `place` is nil, there are no topics, and `try` is
    /// only the payload, quoted for a shell.
    package static func value(_ features: [Feature], at place: Place? = nil) -> JSON.Value {
        var object = JSON.Object()
        for feature in features {
            let entry = entry(feature, place?(feature.name))
            guard var other = object[feature.name]?.object else {
                object[feature.name] = .object(entry)
                continue
            }
            guard case .object(var set) = entry["set"] else { continue }
            set["summary"] = entry["summary"]
            other["set"] = .object(set)
            object[feature.name] = .object(other)
        }
        return .object(object)
    }

    private static func entry(
        _ feature: Feature, _ topic: (report: String, command: String)?
    ) -> JSON.Object {
        var entry: JSON.Object = [
            "kind": .string(kind(feature)), "summary": .string(feature.summary),
        ]
        if feature.isPrivate { entry["private"] = true }
        if let report = feature.report {
            entry["topic"] = topic.map { .string($0.report) }
            switch report.payload {
            case .plain(let type, let unit):
                entry["payload"] = .string(type.allowed)
                entry["type"] = .string(type.word)
                for member in limits(of: type).members { entry[member.key] = member.value }
                entry["unit"] = unit.map { .string($0) }
                if report.isNullable { entry["nullable"] = true }
            case .object(let fields): entry["fields"] = .object(describe(fields))
            }
            if report.isBatched { entry["batched"] = true }
            entry["example"] = report.example
            if !report.alternatives.isEmpty { entry["alternatives"] = .array(report.alternatives) }
        }
        if let command = feature.command {
            entry["set"] = .object(describe(command, topic: topic?.command))
        }
        return entry
    }

    private static func describe(_ command: Command, topic: String?) -> JSON.Object {
        var object = JSON.Object()
        object["topic"] = topic.map { .string($0) }
        object["fields"] = .object(describe(command.fields))
        var words = JSON.Object()
        let shorthands = command.shorthands.map { shorthand -> JSON.Value in
            switch shorthand {
            case .field(let name), .completed(let name, _): return .string(name)
            case .word(let name, let members):
                words[name] = .object(members)
                return .string(name)
            }
        }
        if !shorthands.isEmpty { object["shorthand"] = .array(shorthands) }
        if !words.isEmpty { object["words"] = .object(words) }
        object["empty"] = command.empty.map { .object($0) }
        if !command.rules.isEmpty { object["rules"] = .array(command.rules.map { .object($0.object) }) }
        let traits = command.traits.names
        if !traits.isEmpty { object["traits"] = .array(traits.map { .string($0) }) }
        // Clients depend on some traits, so these traits are also members of the object.
        for trait in traits where ["hazardous", "latest", "kept"].contains(trait) { object[trait] = true }
        if !command.answers.isEmpty { object["answer"] = .object(describe(command.answers)) }
        object["try"] = .string(topic.map(command.line) ?? command.shellPayload)
        return object
    }
}
