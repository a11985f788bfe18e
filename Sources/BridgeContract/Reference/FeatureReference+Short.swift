package import DeviceKit
package import JSON

// The message of a family is kept by brokers and read by small clients: what repeats itself stands there once, and what
// the message of a device says is left to that. Nothing is lost; docs/reference/contract.md says how it is put together.
extension FeatureReference {
    /// The key by which a description takes over the members of a shared one.
    static let useKey = "$use"
    /// The members of the message under ``familyKey``.
    static let (definitionsKey, phrasesKey) = ("definitions", "phrases")

    /// The prose of each type that follows from its keys; `<key>` stands for the value of a key. A type with limits that
    /// the phrase does not hold says its prose itself.
    private static let phrases: [(type: String, text: String)] = [
        ("boolean", "true or false"), ("integer", "a whole number <minimum>...<maximum>"),
        ("number", "<minimum>...<maximum>"), ("choice", "one of <values>"),
        ("object", "an object with <fields>"), ("text", "text of <length> bytes"),
        ("list", "a list of <length> values, each <items>"), ("any", "any JSON value"),
        ("time", "a time stamp such as 2026-01-31T12:00:00.000Z"),
    ]
    /// What stands before a payload in a line to try.
    private static let tryKey = "try"
    private static let tryPhrase = "mosquitto_pub -t <topic> -m "

    /// What the bridge says of the features that all devices of a family have, without what repeats itself and what
    /// the messages of the devices say.
    package static func family(_ name: String, _ features: [Feature]) -> JSON.Value {
        // A topic of its own for each feature, so that a line to try is known by it.
        let whole = value(features) { ("", $0) }
        var entries = JSON.Object(
            (whole.object?.members ?? []).map { ($0.key, change($0.value, phrased)) })
        for member in entries.members { entries[member.key] = withoutTopics(member.value, of: member.key) }

        var definitions: [JSON.Object] = []
        share(&entries, &definitions) { $0["summary"] != nil && $0["example"] == nil ? $0 : nil }
        share(&entries, &definitions) { described in
            JSON.Object(described.members.filter { !ownKeys.contains($0.key) }.map { ($0.key, $0.value) })
        }
        var common: JSON.Object = ["name": .string(name)]
        var used = JSON.Object(phrases.map { ($0.type, .string($0.text)) })
        used[tryKey] = .string(tryPhrase + "<try>")
        common[phrasesKey] = .object(used)
        if !definitions.isEmpty {
            common[definitionsKey] = .array(definitions.map { .object($0) })
        }
        return .object(
            JSON.Object([(familyKey, .object(common))] + entries.members.map { ($0.key, $0.value) }))
    }
}

extension FeatureReference {
    /// What a description says besides its type.
    private static let ownKeys: Set = [
        "summary", "unit", "nullable", "default", "required", "kind", "private", "batched", "example",
        "alternatives", "set",
    ]

    /// Changes the descriptions of a value, those within others first; examples and rules are none.
    private static func change(
        _ value: JSON.Value, _ changed: (JSON.Object) -> JSON.Object
    ) -> JSON.Value {
        guard let object = value.object else { return value }
        return .object(changed(within(object) { change($0, changed) }))
    }

    /// Changes what a description holds: fields, elements, the types of which it has one.
    private static func within(_ object: JSON.Object, _ changed: (JSON.Value) -> JSON.Value) -> JSON.Object {
        JSON.Object(
            object.members.map { member in
                switch member.key {
                case "fields", "answer":
                    let fields = member.value.object?.members ?? []
                    return (member.key, .object(JSON.Object(fields.map { ($0.key, changed($0.value)) })))
                case "items", "set": return (member.key, changed(member.value))
                case "any_of": return (member.key, .array((member.value.array ?? []).map(changed)))
                default: return (member.key, member.value)
                }
            })
    }

    /// A description without the prose that its type's phrase gives.
    private static func phrased(_ object: JSON.Object) -> JSON.Object {
        guard let phrase = phrase(of: object) else { return object }
        var object = object
        for key in ["allowed", "payload"] where object[key]?.string == phrase {
            object[key] = nil
        }
        return object
    }

    /// The phrase of a type with the values of the keys that it names; nil if one is not there.
    private static func phrase(of object: JSON.Object) -> String? {
        guard var text = phrases.first(where: { $0.type == object["type"]?.string })?.text else { return nil }
        for key in ["minimum", "maximum", "values", "fields", "length", "items"]
        where text.contains("<\(key)>") {
            guard let value = object[key] else { return nil }
            let words: String
            switch (key, value) {
            case ("items", .object(let items)):
                guard let inner = phrase(of: items) else { return nil }
                words = inner
            case ("length", .array(let numbers)): words = numbers.map(\.description).joined(separator: "...")
            case (_, .array(let values)): words = values.compactMap(\.string).joined(separator: " ")
            case (_, .object(let fields)): words = fields.keys.joined(separator: " ")
            default: words = value.description
            }
            text = text.replacing("<\(key)>", with: words)
        }
        return text
    }

    /// An entry without what the messages of the devices say, and with the payload alone to try.
    private static func withoutTopics(_ entry: JSON.Value, of feature: String) -> JSON.Value {
        guard var object = entry.object else { return entry }
        object["kind"] = nil
        object["topic"] = nil
        if var set = object["set"]?.object {
            set["topic"] = nil
            let front = tryPhrase.replacing("<topic>", with: feature)
            if let line = set[tryKey]?.string, line.hasPrefix(front) {
                set[tryKey] = .string(String(line.dropFirst(front.count)))
            }
            object["set"] = .object(set)
        }
        return .object(object)
    }

    /// Puts what several descriptions say among the definitions, where that is shorter.
    ///
    /// - Parameter part: What of a description may be shared; nil for nothing.
    private static func share(
        _ entries: inout JSON.Object, _ definitions: inout [JSON.Object],
        _ part: (JSON.Object) -> JSON.Object?
    ) {
        var (counts, order): ([JSON.Object: Int], [JSON.Object]) = ([:], [])
        func count(_ value: JSON.Value) {
            guard let object = value.object else { return }
            if object["type"] != nil || object[useKey] != nil, let part = part(object) {
                counts[part, default: 0] += 1
                // What stands within is shared with it.
                guard counts[part] == 1 else { return }
                order.append(part)
            }
            _ = within(object) {
                count($0)
                return $0
            }
        }
        for entry in entries.members { count(entry.value) }
        for definition in definitions { count(.object(definition)) }

        let reference = useKey.utf8.count + #""":00,"#.utf8.count
        var places: [JSON.Object: Int] = [:]
        for candidate in order {
            let (size, count) = (JSON.Value.object(candidate).bytes.count, counts[candidate] ?? 0)
            guard count > 1, (count - 1) * size > (count + 1) * reference else { continue }
            places[candidate] = definitions.count + places.count
        }
        func replace(_ value: JSON.Value) -> JSON.Value {
            guard let object = value.object else { return value }
            if object["type"] != nil || object[useKey] != nil, let part = part(object),
                let place = places[part]
            {
                let rest = object.members.filter { part[$0.key] == nil }.map { ($0.key, $0.value) }
                return .object(within(JSON.Object([(useKey, .integer(place))] + rest), replace))
            }
            return .object(within(object, replace))
        }
        for entry in entries.members { entries[entry.key] = replace(entry.value) }
        for index in definitions.indices {
            definitions[index] = replace(.object(definitions[index])).object ?? [:]
        }
        definitions += order.filter { places[$0] != nil }.map { within($0, replace) }
    }
}
