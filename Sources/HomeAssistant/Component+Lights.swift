import DeviceKit
import JSON

extension HomeAssistant.Component {
    /// Returns a light entity with the schema `template` (https://www.home-assistant.io/integrations/light.mqtt/). A
    /// message or a field without a usable value renders an empty text, which Home Assistant ignores.
    static func light(
        _ light: Light, _ feature: Feature, _ subject: HomeAssistant.Subject
    ) -> (String, JSON.Object)? {
        guard let command = feature.command,
            let power = command.fields.first(where: { $0.name == light.power })
        else { return nil }
        func type(_ name: String?) -> FieldType? { command.fields.first { $0.name == name }?.type }
        /// The expression of a field of the report; nil if there is none.
        func value(_ name: String?) -> String? {
            guard let name, case .object(let fields)? = feature.report?.payload,
                fields.contains(where: { $0.name == name })
            else { return nil }
            return "value_json\(HomeAssistant.Template.member(name))"
        }
        var isWord = true
        if case .boolean = power.type { isWord = false }
        let topics = subject.place(feature.name)
        var details: JSON.Object = [
            "schema": "template", "command_topic": .string(topics.command),
            "command_off_template": .string(fixed(power.name, isWord ? "off" : false)),
        ]
        if feature.report != nil { details["state_topic"] = .string(topics.report) }
        func show(_ key: String, _ expression: String?, if condition: String) {
            details[key] = expression.map { .string("{{\($0) if value and \(condition) else ''}}") }
        }
        if case .plain? = feature.report?.payload {
            details["state_template"] = .string(isWord ? "{{value}}" : "{{'on' if value=='true' else 'off'}}")
        } else if let power = value(light.power) {
            show(
                "state_template", isWord ? power : "('on' if \(power) else 'off')",
                if: "\(power) is not none")
        }
        var parts: [(variable: String, member: String)] = []
        if let name = light.brightness {
            parts.append(("brightness", "\(quoted(name)):\(scaled("brightness", by: light.full, over: 255))"))
            let shown = value(name)
            show(
                "brightness_template",
                shown.map { scaled($0, by: 255, over: light.full, isExpression: true) },
                if: "\(shown ?? "") is not none")
        }
        if let name = light.rgb {
            parts.append(("red", "\(quoted(name)):[{{red}},{{green}},{{blue}}]"))
            let shown = value(name)
            for (index, color) in ["red", "green", "blue"].enumerated() {
                show("\(color)_template", shown.map { "\($0)[\(index)]" }, if: shown ?? "")
            }
        }
        if let name = light.colorTemperature {
            parts.append(("color_temp", "\(quoted(name)):{{color_temp}}"))
            let shown = value(name)
            show("color_temp_template", shown, if: shown ?? "")
            details["color_temp_kelvin"] = true
            if case .integer(let range)? = type(name) {
                details["min_kelvin"] = .integer(range.lowerBound)
                details["max_kelvin"] = .integer(range.upperBound)
            }
        }
        if let name = light.effect, case .choice(let words)? = type(name) {
            parts.append(("effect", "\(quoted(name)):{{effect|tojson}}"))
            let shown = value(name)
            details["effect_list"] = .array(words.map { .string($0) })
            show("effect_template", shown, if: "\(shown ?? "") in \(HomeAssistant.Template.list(words))")
        }
        let members = parts.map { "{% if \($0.variable) is defined %},\($0.member){% endif %}" }.joined()
        let on = fixed(power.name, isWord ? "on" : true)
        details["command_on_template"] = .string("\(on.dropLast())\(members)}")
        return ("light", details)
    }

    private static func quoted(_ text: String) -> String { JSON.Value.string(text).description }

    private static func fixed(_ name: String, _ value: JSON.Value) -> String {
        JSON.Value.object(JSON.Object([(name, value)])).description
    }

    /// Returns the template, or only its expression, of a value on another scale.
    private static func scaled(
        _ value: String, by factor: Int, over divisor: Int, isExpression: Bool = false
    ) -> String {
        let expression = factor == divisor ? value : "(\(value)*\(factor)/\(divisor))|round|int"
        return isExpression ? expression : "{{\(expression)}}"
    }
}
