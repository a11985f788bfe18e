import DeviceKit
import JSON

// The entity that a file declares for a feature.
extension FileReader {
    private static let platforms = ["light", "switch", "valve", "binary_sensor", "button", "event"]

    func readEntity(_ node: Node, _ feature: inout FeatureEntry) {
        guard let members = node.members(Self.platforms), let key = members.exactlyOne(Self.platforms),
            let value = members[key]
        else { return }
        let reported = feature.report?.fields.map(\.field) ?? []
        switch key {
        case "binary_sensor":
            let fields = feature.report?.kind == .event ? [] : reported.filter { $0.type.isPair }
            let what = "a field of the state that is a boolean or one of two words"
            feature.entity = name(value, of: fields, what).map { .binarySensor($0) }
        case "event":
            let fields = feature.report?.kind == .event ? reported.filter { $0.type.isChoice } : []
            feature.entity = name(value, of: fields, "a field of the event with words").map { .event($0) }
        default:
            guard let command = feature.command, !command.isConfirmed, !command.isHazardous else {
                return node.complain(
                    "found \(key); allowed: for a feature with a command, without confirm and hazardous")
            }
            switch key {
            case "light": feature.entity = light(value, command.fields, &feature).map { .light($0) }
            case "button":
                let payloads = value.oneOrMore(limit: 16)
                for payload in payloads { check(payload, of: command) }
                feature.entity = .buttons(payloads.map { $0.json() })
            default:
                let fields = command.fields.filter { $0.type.isPair }
                guard
                    let name = name(
                        value, of: fields, "a field of the command that is a boolean or one of two words")
                else { return }
                checkOthers([name], command, value)
                feature.entity = .control(name, key == "valve" ? .valve : .toggle)
            }
        }
    }

    private func name(_ node: Node, of fields: [Field], _ what: String) -> String? {
        let names = fields.map(\.name)
        guard let name = node.scalar, names.contains(name) else {
            node.mismatch(
                allowed: "\(what)\(names.isEmpty ? "; there is none" : ": \(names.joined(separator: " "))")")
            return nil
        }
        return name
    }

    /// Checks that a command needs no other fields than those that the entity sends.
    private func checkOthers(_ names: [String], _ command: CommandEntry, _ node: Node) {
        guard let other = command.fields.first(where: { $0.isRequired && !names.contains($0.name) }) else {
            return
        }
        node.complain(
            "found no \(other.name), which the command requires; allowed: with required: false or a default")
    }

    /// Reads a light. With `brightness: of_rgb`, the feature gets a field `brightness`, the greatest part of the color.
    private func light(_ node: Node, _ fields: [Field], _ feature: inout FeatureEntry) -> Light? {
        guard let members = node.members(["power", "brightness", "full", "rgb", "color_temp", "effect"]),
            let value = members.required("power", "a field of the command"),
            let power = name(
                value, of: fields.filter { $0.type.isSwitch },
                "a boolean, or a choice of on and off, of the command")
        else { return nil }
        func field(_ key: String, _ what: String, _ fits: (FieldType) -> Bool) -> String? {
            members[key].flatMap { name($0, of: fields.filter { fits($0.type) }, "\(what) of the command") }
        }
        var light = Light(power: power)
        light.rgb = field("rgb", "a list of three integers 0...255") { $0.isColor }
        light.colorTemperature = field("color_temp", "an integer") { $0.isInteger }
        light.effect = field("effect", "a choice") { $0.isChoice }
        light.full = members["full"]?.integer(1...65_535) ?? light.full
        if let brightness = members["brightness"], brightness.scalar == "of_rgb" {
            guard let color = light.rgb, !fields.contains(where: { $0.name == ReportEntry.brightness }) else {
                brightness.complain("found of_rgb; allowed: with rgb, and without a field brightness")
                return nil
            }
            members.refuse(["full"], "the brightness is the greatest part of the color")
            light.brightness = ReportEntry.brightness
            feature.command?.fields.append(Light.dimmer)
            feature.command?.dimmed = color
            if let shown = feature.report?.fields.first(where: { $0.field.name == color }) {
                var dimmer = Light.dimmer
                dimmer.isNullable = shown.field.isNullable
                feature.report?.fields.append(ReportField(dimmer))
                feature.report?.dimmed = color
            }
        } else {
            light.brightness = field("brightness", "an integer") { $0.isInteger }
        }
        if let command = feature.command { checkOthers(light.fields, command, node) }
        return light
    }
}

extension Light {
    /// The field for the brightness of a lamp that has only a color.
    fileprivate static let dimmer = Field(
        ReportEntry.brightness, .integer(0...255), required: false, "The greatest part of the color.")
}

extension FieldType {
    /// Whether the value is one of two.
    fileprivate var isPair: Bool {
        switch self {
        case .boolean: true
        case .choice(let words): words.count == 2
        default: false
        }
    }

    /// Whether the value is a Boolean, or one of the words `on` and `off`.
    fileprivate var isSwitch: Bool {
        switch self {
        case .boolean: true
        case .choice(let words): Set(words) == ["on", "off"]
        default: false
        }
    }

    fileprivate var isChoice: Bool { if case .choice = self { true } else { false } }
    fileprivate var isInteger: Bool { if case .integer = self { true } else { false } }
    fileprivate var isColor: Bool { self == .list(.integer(0...255), count: 3...3) }
}
