import DeviceKit
import JSON

extension HomeAssistant.Component {
    /// Returns a switch, select or number entity. The type of the command's key decides: Boolean, word or number.
    static func control(
        _ control: Control, _ presentation: Presentation, _ feature: Feature, _ subject: HomeAssistant.Subject
    ) -> (String, JSON.Object)? {
        guard let command = feature.command,
            let key = command.fields.first(where: { $0.name == control.field })
        else { return nil }
        var details = JSON.Object()
        let source = control.state.feature.flatMap { name in subject.features.first { $0.name == name } }
        let state = HomeAssistant.Reported(
            source ?? feature, control.state.field, whenNull: control.state.whenNull)
        if state != nil { details["state_topic"] = .string(subject.place((source ?? feature).name).report) }
        details["command_topic"] = .string(subject.place(feature.name).command)
        if command.traits.contains(.fleeting) { details["qos"] = 0 }
        let payload = Payload(control, command)
        if let form = control.form {
            var words = ("true", "false")
            if case .choice(let choices) = key.type, choices.count == 2 { words = (choices[0], choices[1]) }
            let pair = onOff(payload, state, words)
            return (form.rawValue, details.merging(form == .valve ? valve(pair, presentation) : pair))
        }
        switch key.type {
        case .boolean: return ("switch", details.merging(onOff(payload, state, ("true", "false"))))
        case .choice(let words) where Set(words) == ["on", "off"]:
            return ("switch", details.merging(onOff(payload, state, ("on", "off"))))
        case .choice(let words):
            return ("select", details.merging(select(control.choices ?? words, payload, state)))
        case .integer(let range):
            let limits = Double(range.lowerBound)...Double(range.upperBound)
            return ("number", details.merging(number(limits, step: 1, key, presentation, payload, state)))
        case .number(let range):
            let step = range.upperBound - range.lowerBound > 10 ? 1 : 0.01
            return ("number", details.merging(number(range, step: step, key, presentation, payload, state)))
        case .angle:
            return ("number", details.merging(number(0...359, step: 1, key, presentation, payload, state)))
        default: return nil
        }
    }

    /// The form in which a value is sent: as a bare value if the command accepts one and needs no other keys, otherwise
    /// as an object.
    private struct Payload {
        let key: String
        let also: JSON.Object
        let isBare: Bool

        init(_ control: Control, _ command: Command) {
            (key, also) = (control.field, control.also)
            isBare = also.isEmpty && command.shorthands.contains(.field(control.field))
        }

        func fixed(_ value: JSON.Value) -> String {
            isBare
                ? value.string ?? value.description
                : JSON.Value.object(JSON.Object([(key, value)]).merging(also)).description
        }

        /// Returns the template that creates the payload for a chosen value; nil if the value is sent unchanged.
        func template(_ value: String = "value", quoted: Bool) -> String? {
            guard !isBare else { return value == "value" ? nil : "{{ \(value)}}" }
            let marker = "{{\(value.hasPrefix("{") ? " " : "")\(value)\(quoted ? "|tojson" : "")}}"
            let rest = also.members.map { ",\(JSON.Value.string($0.key)):\($0.value)" }.joined()
            return "{\(JSON.Value.string(key)):\(marker)\(rest)}"
        }
    }

    private static func onOff(
        _ payload: Payload, _ state: HomeAssistant.Reported?, _ words: (on: String, off: String)
    ) -> JSON.Object {
        let isWord = words.on != "true"
        var details: JSON.Object = [
            "payload_on": .string(payload.fixed(isWord ? .string(words.on) : true)),
            "payload_off": .string(payload.fixed(isWord ? .string(words.off) : false)),
        ]
        guard let state else { return details }
        details["value_template"] = state.template.map { .string($0) }
        var shown = words
        if case .boolean = state.type { shown = state.truth }
        // By default, Home Assistant expects the sent payload as the state, so an equal state is omitted.
        if details["payload_on"]?.string != shown.on { details["state_on"] = .string(shown.on) }
        if details["payload_off"]?.string != shown.off { details["state_off"] = .string(shown.off) }
        return details
    }

    /// Returns the properties of a valve, which has other names for the two payloads and the two states.
    private static func valve(_ pair: JSON.Object, _ presentation: Presentation) -> JSON.Object {
        var valve = JSON.Object()
        valve["payload_open"] = pair["payload_on"]
        valve["payload_close"] = pair["payload_off"]
        valve["value_template"] = pair["value_template"]
        valve["state_open"] = pair["state_on"] ?? pair["payload_on"]
        valve["state_closed"] = pair["state_off"] ?? pair["payload_off"]
        valve["device_class"] = presentation.deviceClass.map { .string($0) }
        return valve
    }

    /// An option that Home Assistant interprets as "unknown".
    private static let unknown = "none"

    private static func select(
        _ words: [String], _ payload: Payload, _ state: HomeAssistant.Reported?
    ) -> JSON.Object {
        // Home Assistant can send the option "none", but never displays it as selected. It is therefore shown as
        // "nothing".
        let shown = words.contains(unknown) ? [unknown: "nothing"] : [:]
        var details: JSON.Object = ["options": .array(words.map { .string(shown[$0] ?? $0) })]
        let chosen = shown.isEmpty ? "value" : "{'nothing':'none'}.get(value,value)"
        details["command_template"] = payload.template(chosen, quoted: true).map { .string($0) }
        details["value_template"] = state?.template(words: words, shownAs: shown).map { .string($0) }
        return details
    }

    /// The step that Home Assistant uses if a number has no `step`.
    private static let defaultStep = 1.0

    private static func number(
        _ limits: ClosedRange<Double>, step: Double, _ key: Field, _ presentation: Presentation,
        _ payload: Payload, _ state: HomeAssistant.Reported?
    ) -> JSON.Object {
        let unit = HomeAssistant.DeviceClass.unit(key.unit)
        var details: JSON.Object = [
            "min": .number(limits.lowerBound), "max": .number(limits.upperBound),
        ]
        if step != Self.defaultStep { details["step"] = .number(step) }
        details["device_class"] = HomeAssistant.DeviceClass.sensor(presentation.meaning, unit: unit)
            .map { .string($0) }
        details["unit_of_measurement"] = unit.map { .string($0) }
        details["command_template"] = payload.template(quoted: false).map { .string($0) }
        details["value_template"] = state?.template(limits).map { .string($0) }
        return details
    }
}

extension JSON.Object {
    /// Returns the object with the members of another object added. An added member replaces a member with the same
    /// key.
    func merging(_ other: JSON.Object) -> JSON.Object {
        var merged = self
        for member in other.members { merged[member.key] = member.value }
        return merged
    }
}
