import DeviceKit
import JSON

extension HomeAssistant.Component {
    static func action(
        _ payload: JSON.Value, _ feature: Feature, _ subject: HomeAssistant.Subject
    ) -> (String, JSON.Object)? {
        guard let command = feature.command else { return nil }
        var details: JSON.Object = [
            "command_topic": .string(subject.place(feature.name).command),
            "payload_press": .string(payload.string ?? payload.description),
        ]
        if command.traits.contains(.fleeting) { details["qos"] = 0 }
        return ("button", details)
    }

    /// Returns a notify entity. A message from Home Assistant is free text: the name of a haptic pattern
    /// (case-insensitive) plays this pattern, any other text plays the configured pattern.
    static func message(
        through field: String, _ feature: Feature, _ subject: HomeAssistant.Subject
    ) -> (String, JSON.Object)? {
        guard let command = feature.command, command.shorthands.contains(.field(field)),
            let key = command.fields.first(where: { $0.name == field })
        else { return nil }
        var names = subject.patterns.names
        if case .choice(let words) = key.type { names = words }
        return (
            "notify",
            [
                "command_topic": .string(subject.place(feature.name).command),
                "command_template": .string(template(names, other: subject.patterns.other)),
            ]
        )
    }

    /// Returns the template that converts the text of a message, ignoring case, to the name of a haptic pattern.
    private static func template(_ names: [String], other: String) -> String {
        let other = HomeAssistant.Template.quoted(other)
        guard names.contains(where: { $0 != $0.lowercased() }) else {
            let list = HomeAssistant.Template.list(names)
            return "{% set v=value|trim|lower %}{{v if v in \(list) else \(other)}}"
        }
        let pairs = names.map { HomeAssistant.Template.pair($0.lowercased(), $0) }
        return "{{ {\(pairs.joined(separator: ","))}.get(value|trim|lower,\(other))}}"
    }
}
