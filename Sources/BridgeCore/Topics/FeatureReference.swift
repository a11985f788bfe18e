import DeviceKit
import JSON

/// Writes a device's declared features as the `features` topic shows them.
enum FeatureReference {
    static func value(_ family: any DeviceFamily, device: String, _ topics: Topics) -> JSON.Value {
        var object = JSON.Object()
        for feature in family.features {
            object[feature.name] = .object(entry(feature, device: device, topics))
        }
        return .object(object)
    }

    private static func entry(_ feature: Feature, device: String, _ topics: Topics) -> JSON.Object {
        var entry: JSON.Object = [
            "kind": .string(feature.report?.kind.rawValue ?? "command"), "summary": .string(feature.summary),
        ]
        if let report = feature.report {
            entry["topic"] = .string(topics.report(device, feature.name))
            switch report.payload {
            case .plain(let type, let unit):
                entry["payload"] = .string(type.allowed)
                entry["unit"] = unit.map { .string($0) }
            case .object(let fields): entry["fields"] = .object(describe(fields))
            }
            entry["example"] = report.example
        }
        if let command = feature.command {
            entry["set"] = .object(describe(command, topic: topics.command(device, feature.name)))
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
        object["try"] = .string("mosquitto_pub -t \(topic) -m \(shellQuoted(command.example))")
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

    /// A payload as a shell takes it: quoted where it must be.
    private static func shellQuoted(_ payload: JSON.Value) -> String {
        let text = payload.string ?? payload.description
        let isPlain =
            !text.isEmpty
            && text.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || "_-.,".utf8.contains(byte)
            }
        return isPlain ? text : "'" + text.replacing("'", with: "'\\''") + "'"
    }
}
