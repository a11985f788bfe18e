import DeviceKit
import JSON

/// The events of a family from which gestures can be composed, each as words such as `tapped thumb+index`: the name of
/// the feature, then a word for each field that distinguishes the kinds of the event. The words of a list are joined by
/// `+`. If the family does not name these fields, all fields with a choice of words are used.
struct GestureInputs: Hashable, Sendable {
    /// A feature that reports events, and the fields whose values become words of an input.
    private struct Source: Hashable, Sendable {
        var feature: String
        var fields: [Field]
        var isPrivate: Bool
    }

    private let sources: [Source]

    init(_ features: [Feature]) {
        sources = features.compactMap { feature in
            guard let report = feature.report, report.kind == .event,
                case .object(let all) = report.payload
            else { return nil }
            for presentation in feature.presentations {
                guard case .happening(let names, _, _) = presentation.kind, !names.isEmpty else { continue }
                let fields = names.compactMap { name in all.first { $0.name == name } }
                guard fields.count == names.count else { continue }
                return Source(feature: feature.name, fields: fields, isPrivate: feature.isPrivate)
            }
            let fields = all.filter { !Self.choices($0.type).words.isEmpty }
            return fields.isEmpty
                ? nil : Source(feature: feature.name, fields: fields, isPrivate: feature.isPrivate)
        }
    }

    /// The names of the features whose events are inputs.
    var features: [String] { sources.map(\.feature) }

    /// Returns the input that an event represents; nil if events of the feature are not inputs.
    func input(_ feature: String, _ value: JSON.Value) -> String? {
        guard let source = sources.first(where: { $0.feature == feature }) else { return nil }
        let words = source.fields.map { field -> String in
            guard let value = value[field.name] else { return "" }
            if let list = value.array { return list.map(Self.word).joined(separator: "+") }
            return Self.word(value)
        }
        return ([feature] + words).joined(separator: " ")
    }

    /// Returns an input for readers who may not read private events: of a private event only the name, such as `tapped`.
    func shown(_ input: String) -> String {
        let words = input.split(separator: " ")
        let place = words.first.map(String.init) == Self.other ? 1 : 0
        guard place < words.count, sources.contains(where: { $0.isPrivate && $0.feature == words[place] })
        else { return input }
        return words.prefix(place + 1).joined(separator: " ")
    }

    /// The first word of an input of the other device of a pair.
    static let other = "other"

    /// Reads an input from a gesture file.
    ///
    /// - Returns: The input with its words in the order that the family declares; or a description of the allowed
    ///   inputs.
    func read(_ text: String) -> Result<String, Refusal> {
        guard text.hasPrefix("\(Self.other) ") else { return readOwn(text[...]) }
        return readOwn(text.dropFirst(Self.other.count + 1)).map { "\(Self.other) \($0)" }
    }

    private func readOwn(_ text: Substring) -> Result<String, Refusal> {
        var words = text.split(separator: " ").map(String.init)
        guard let feature = words.first, let source = sources.first(where: { $0.feature == feature }) else {
            return .failure(
                Refusal(
                    allowed: "one of \(features.joined(separator: " ")), followed by the words of its event"))
        }
        words.removeFirst()
        guard words.count == source.fields.count else {
            let names = source.fields.map(\.name).joined(separator: " ")
            return .failure(Refusal(allowed: "\(feature), then a word for \(names)"))
        }
        var read = [feature]
        for (word, field) in zip(words, source.fields) {
            let (choices, isList) = Self.choices(field.type)
            let parts = isList ? word.split(separator: "+").map(String.init) : [word]
            guard choices.isEmpty || Set(parts).isSubset(of: choices), Set(parts).count == parts.count else {
                return .failure(
                    Refusal(
                        allowed: "\(feature), then for \(field.name) "
                            + (isList ? "words joined by +: " : "one of ") + choices.joined(separator: " ")))
            }
            // The words of a list are put in the order of their declaration, because they have this order in the events
            // of a device.
            let ordered = isList && !choices.isEmpty ? choices.filter(parts.contains) : parts
            read.append(ordered.joined(separator: "+"))
        }
        return .success(read.joined(separator: " "))
    }

    /// Why an input is refused.
    struct Refusal: Error {
        var allowed: String
    }

    private static func word(_ value: JSON.Value) -> String { value.string ?? value.description }

    /// Returns the words of a field, and whether the field contains a list of words; the list of words is empty if the
    /// field allows any text.
    private static func choices(_ type: FieldType) -> (words: [String], isList: Bool) {
        switch type {
        case .choice(let words): (words, false)
        case .list(let element, _): (choices(element).words, true)
        case .boolean: (["true", "false"], false)
        default: ([], false)
        }
    }
}
