import DeviceKit
import JSON

extension HomeAssistant {
    /// The kinds of an event: every combination of the values that distinguish the kinds.
    struct EventTypes {
        /// The names of the kinds, each in one word.
        var words: [String]
        /// The expression of the template language that returns the kind of a received message.
        var expression: String
        /// The expression that returns the number of a received message's kind, counted from 1; nil if the kinds have
        /// no numbers in the message.
        private(set) var number: String?

        /// - Parameters:
        ///   - verb: The only kind, if no field distinguishes kinds.
        ///   - bits: The field that contains a list's choices as bits.
        package init(_ fields: [String], _ feature: Feature, verb: String, bits: String? = nil) {
            guard !fields.isEmpty, case .object(let declared) = feature.report?.payload else {
                (words, expression) = ([verb], Template.quoted(verb))
                return
            }
            words = [""]
            var parts: [String] = []
            for name in fields {
                guard let field = declared.first(where: { $0.name == name }) else { continue }
                let (values, part) = Self.values(field)
                words = words.flatMap { word in
                    values.map { word.isEmpty ? $0 : "\(word)_\($0)" }
                }
                parts.append(part)
            }
            expression = parts.joined(separator: "~'_'~")
            if fields.count == 1, let field = declared.first(where: { $0.name == bits }),
                field.type == .integer(1...words.count)
            {
                number = "value_json.\(field.name)"
            }
        }

        /// Returns the values of a field, and the expression of its value. The values of a list are all its subsets,
        /// numbered by bits: the first choice has the value 1, the second choice 2, the third choice 4 and so on.
        private static func values(_ field: Field) -> (values: [String], expression: String) {
            let place = "value_json.\(field.name)"
            switch field.type {
            case .choice(let words): return (words, place)
            case .boolean: return (["true", "false"], "\(place)|lower")
            case .list(.choice(let words), _):
                let combinations = (1..<(1 << words.count)).map { combination in
                    words.indices.filter { combination & (1 << $0) != 0 }.map { words[$0] }
                        .joined(separator: "_")
                }
                return (combinations, "\(place)|join('_')")
            default: return ([], place)
            }
        }
    }
}

extension HomeAssistant.Component {
    /// Returns an event entity with its kinds. The other fields of the message become attributes of the entity.
    static func event(
        _ types: HomeAssistant.EventTypes, _ presentation: Presentation, _ feature: Feature,
        _ subject: HomeAssistant.Subject
    ) -> (String, JSON.Object)? {
        guard feature.report?.kind == .event else { return nil }
        var details: JSON.Object = [
            "state_topic": .string(subject.place(feature.name).report),
            "event_types": .array(types.words.map { .string($0) }),
            "value_template": .string(template(types, presentation, feature)),
        ]
        details["device_class"] = HomeAssistant.DeviceClass.event(presentation).map { .string($0) }
        return ("event", details)
    }

    private static func template(
        _ types: HomeAssistant.EventTypes, _ presentation: Presentation, _ feature: Feature
    ) -> String {
        let event = "dict(value_json,event_type=\(types.expression))|to_json"
        guard case .happening(let fields, _, _) = presentation.kind, feature.report?.isPartial ?? false else {
            return "{{value and \(event)}}"
        }
        // A message without the field belongs to another entity.
        let isThere = fields.map { "value_json\(HomeAssistant.Template.member($0)) is defined" }
        return "{{\(event) if \((["value"] + isThere).joined(separator: " and "))}}"
    }

    /// Returns a device trigger for each kind of an event, so that users can select triggers from a list.
    static func triggers(
        _ types: HomeAssistant.EventTypes, verb: String, id: String, _ presentation: Presentation,
        _ feature: Feature, _ subject: HomeAssistant.Subject
    ) -> [HomeAssistant.Component] {
        guard feature.report?.kind == .event else { return [] }
        // A generic verb is the same for all features of a device, so the subtype also contains the feature's name.
        let prefix = verb == Presentation.anyEvent ? feature.name + "_" : ""
        let taken = taken(verb, before: feature, subject)
        return types.words.enumerated().map { index, word in
            let isTaken = taken.contains(word)
            var details: JSON.Object = [
                "automation_type": "trigger", "type": .string(verb),
                "subtype": .string(
                    word == verb ? feature.name : isTaken ? "\(feature.name)_\(word)" : prefix + word),
                "topic": .string(subject.place(feature.name).report),
            ]
            // If there is only one kind, every message matches, and the trigger needs no payload.
            if types.words.count > 1 {
                // The payload is in every trigger of the announcement, so it is a number where possible, which is
                // shorter than words.
                details["payload"] = .string(types.number == nil ? word : String(index + 1))
                details["value_template"] = .string(
                    "{{value and \(types.number ?? types.expression)}}")
            }
            // The kinds of a gesture file or a device file change: then each remaining kind must keep its ID, because
            // Home Assistant refuses a trigger that takes the type and subtype of another ID.
            return HomeAssistant.Component(
                id: types.number == nil ? "\(id)_\(word)" : "\(id)_t\(index + 1)",
                platform: "device_automation", details: details, presentation: presentation, isEntity: false)
        }
    }

    /// Returns the kinds of the events of earlier features with the same verb. Home Assistant accepts each type and
    /// subtype once for a device.
    private static func taken(
        _ verb: String, before feature: Feature, _ subject: HomeAssistant.Subject
    ) -> Set<String> {
        let earlier = subject.features.prefix { $0.name != feature.name }
        return Set(
            earlier.flatMap { other in
                other.presentations.flatMap { presentation -> [String] in
                    guard case .happening(let fields, verb, let bits) = presentation.kind else { return [] }
                    return HomeAssistant.EventTypes(fields, other, verb: verb, bits: bits).words
                }
            })
    }
}
