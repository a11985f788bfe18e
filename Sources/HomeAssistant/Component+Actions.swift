import DeviceKit
import JSON

extension HomeAssistant.Component {
    /// A button.
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

    /// Somebody to be told something. The message that Home Assistant sends is free text: a haptic pattern's
    /// name plays that pattern, whatever the letters' case; anything else plays the configured one.
    static func message(
        through field: String, _ feature: Feature, _ subject: HomeAssistant.Subject
    ) -> (String, JSON.Object)? {
        guard let command = feature.command, command.shorthands.contains(.field(field)),
            let key = command.fields.first(where: { $0.name == field })
        else { return nil }
        var names = subject.patterns.names
        if case .choice(let words) = key.type { names = words }
        let pairs = names.map { HomeAssistant.Template.pair($0.lowercased(), $0) }
        let other = HomeAssistant.Template.quoted(subject.patterns.other)
        return (
            "notify",
            [
                "command_topic": .string(subject.place(feature.name).command),
                "command_template": .string(
                    "{{ {\(pairs.joined(separator: ", "))}.get(value | trim | lower, \(other)) }}"),
            ]
        )
    }
}
