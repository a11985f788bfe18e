import JSON

/// Puts the description of a device together as the documents tell a client to.
struct DescriptionClient {
    private let device: JSON.Object
    private let family: JSON.Object
    private let phrases: JSON.Object
    private let definitions: [JSON.Value]

    init?(device: JSON.Value, family: JSON.Value) {
        guard let device = device.object, let family = family.object,
            let phrases = family["family"]?["phrases"]?.object
        else { return nil }
        (self.device, self.family, self.phrases) = (device, family, phrases)
        definitions = family["family"]?["definitions"]?.array ?? []
    }

    /// The entries of the device's features.
    var features: JSON.Object {
        var entries = JSON.Object()
        for member in device.members where member.key != "family" {
            guard var entry = used(family[member.key] ?? .null).object else { continue }
            entry["kind"] = member.value["kind"]
            entry["topic"] = member.value["topic"]
            if entry["type"] != nil { entry["payload"] = entry["payload"] ?? prose(entry) }
            if var set = entry["set"]?.object {
                let topic = member.value["set"]?["topic"]
                set["topic"] = topic
                set["try"] = phrases["try"]?.string.map {
                    .string(
                        $0.replacing("<topic>", with: topic?.string ?? "")
                            .replacing("<try>", with: set["try"]?.string ?? ""))
                }
                set["fields"] = told(set["fields"])
                if set["answer"] != nil { set["answer"] = told(set["answer"]) }
                entry["set"] = .object(set)
            }
            if entry["fields"] != nil { entry["fields"] = told(entry["fields"]) }
            entries[member.key] = .object(entry)
        }
        return entries
    }

    /// A value with the members of the definitions that it and what stands in it use.
    private func used(_ value: JSON.Value) -> JSON.Value {
        switch value {
        case .array(let values): return .array(values.map(used))
        case .object(var object):
            if let place = object["$use"]?.integer, let definition = definitions[place].object {
                object["$use"] = nil
                for member in definition.members where object[member.key] == nil {
                    object[member.key] = member.value
                }
                return used(.object(object))
            }
            return .object(JSON.Object(object.members.map { ($0.key, used($0.value)) }))
        default: return value
        }
    }

    /// Fields with their prose, at any depth.
    private func told(_ fields: JSON.Value?) -> JSON.Value {
        .object(
            JSON.Object(
                (fields?.object?.members ?? []).map { field in
                    guard var object = inner(field.value).object else { return (field.key, field.value) }
                    object["allowed"] = object["allowed"] ?? prose(object)
                    return (field.key, .object(object))
                }))
    }

    private func inner(_ value: JSON.Value) -> JSON.Value {
        guard var object = value.object else { return value }
        if object["fields"] != nil { object["fields"] = told(object["fields"]) }
        if let items = object["items"] { object["items"] = inner(items) }
        if let types = object["any_of"]?.array { object["any_of"] = .array(types.map(inner)) }
        return .object(object)
    }

    /// The phrase of a type, filled in.
    private func prose(_ object: JSON.Object) -> JSON.Value? {
        guard var text = object["type"]?.string.flatMap({ phrases[$0]?.string }) else { return nil }
        for member in object.members {
            let words: String? =
                switch (member.key, member.value) {
                case ("items", .object(let items)): prose(items)?.string
                case ("length", .array(let numbers)): numbers.map(\.description).joined(separator: "...")
                case (_, .array(let values)): values.compactMap(\.string).joined(separator: " ")
                case (_, .object(let fields)): fields.keys.joined(separator: " ")
                default: member.value.description
                }
            text = text.replacing("<\(member.key)>", with: words ?? "")
        }
        return .string(text)
    }
}

extension JSON.Value {
    /// With the members of objects by their keys, at any depth, to compare what has no order.
    var sorted: JSON.Value {
        switch self {
        case .array(let values): .array(values.map(\.sorted))
        case .object(let object):
            .object(
                JSON.Object(object.members.sorted { $0.key < $1.key }.map { ($0.key, $0.value.sorted) }))
        default: self
        }
    }

    /// A description without the keys for machines.
    var proseAlone: JSON.Value {
        let machine: Set = [
            "minimum", "maximum", "exclusive_maximum", "values", "length", "pattern", "items", "any_of",
            "nullable", "rules", "words", "empty", "hazardous", "latest", "kept", "private", "batched",
        ]
        return switch self {
        case .array(let values): .array(values.map(\.proseAlone))
        case .object(let object):
            .object(
                JSON.Object(
                    object.members.filter { !machine.contains($0.key) }.map { ($0.key, $0.value.proseAlone) })
            )
        default: self
        }
    }
}
