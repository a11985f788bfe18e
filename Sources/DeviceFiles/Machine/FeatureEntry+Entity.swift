import DeviceKit
import JSON

// The entity that the file declares for a feature.
extension FeatureEntry {
    /// Whether the declared entity shows a field of the report, so that the field needs no entity of its own.
    func showsElsewhere(report field: String) -> Bool {
        switch entity {
        case .light(let light): light.fields.contains(field)
        case .control(field, _), .binarySensor(field), .event(field): true
        case .control, .binarySensor, .event, .buttons, nil: false
        }
    }

    /// Whether the declared entity shows a field of the command.
    func showsElsewhere(command field: String) -> Bool {
        switch entity {
        case .light(let light): light.fields.contains(field)
        case .control(field, _), .buttons: true
        case .control, .binarySensor, .event, nil: false
        }
    }

    /// How the declared entity is presented; empty without such an entity.
    var declaredPresentations: [Presentation] {
        let title = FieldLook.title(of: name)
        switch entity {
        case nil: return []
        case .light(let light): return [.light(title, light)]
        case .control(let field, let form):
            let shown = report?.shown(field, echoes: command?.echoes ?? false)
            var control = Control(
                field, state: Control.Source(field: shown != nil && report?.isPlain ?? false ? nil : field))
            control.form = form
            var presentation = Presentation.control(
                shown?.look.title ?? title, of: control, icon: shown?.look.icon)
            presentation.id = form.rawValue
            presentation.deviceClass = shown?.look.deviceClass
            return [presentation]
        case .binarySensor(let field):
            let look = report?.fields.first { $0.field.name == field }?.look
            var presentation = Presentation.reading(
                look?.title ?? title, of: report?.isPlain ?? false ? nil : field,
                purpose: look?.category == nil ? .use : .diagnosis, icon: look?.icon)
            presentation.id = "binary_sensor"
            presentation.deviceClass = look?.deviceClass
            presentation.isBinary = true
            return [presentation]
        case .event(let field):
            let look = report?.fields.first { $0.field.name == field }?.look
            var presentation = Presentation.happening(
                look?.title ?? title, by: [field], verb: Presentation.anyEvent, icon: look?.icon)
            presentation.deviceClass = look?.deviceClass
            return [presentation]
        case .buttons(let payloads):
            return payloads.enumerated().map { index, payload in
                let word = payload.string.flatMap { Node.isName($0) ? $0 : nil }
                return .action(
                    word.map { FieldLook.title(of: $0) } ?? "\(title) \(index + 1)", sends: payload,
                    id: "button_\(word ?? String(index + 1))")
            }
        }
    }
}

extension ReportEntry {
    /// The published field that shows the value of a command's field; nil if there is none.
    func shown(_ field: String, echoes: Bool) -> ReportField? {
        fields.first { isPlain && echoes || $0.field.name == field }
    }
}
