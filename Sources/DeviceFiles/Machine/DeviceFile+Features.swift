import DeviceKit
import JSON

extension DeviceFile {
    /// The features in the form that every device family declares.
    var declaredFeatures: [Feature] {
        var all = features.map { declare($0) }
        if !stop.isEmpty {
            all.append(
                Feature(
                    "stop", "Stops the device, whatever the payload.",
                    command: Command([], empty: [:], traits: .stop, example: [:]),
                    shown: [.action("Stop", sends: [:], icon: "stop-circle", offline: true)]))
        }
        if haptic != nil { all.append(.haptic()) }
        return all
    }

    private func declare(_ entry: FeatureEntry) -> Feature {
        var feature = Feature(entry.name, entry.summary)
        if let report = entry.report {
            feature.report = declare(report, entry.name)
            if entry.isShown { feature.presentations += presentations(report, entry) }
        }
        if let command = entry.command {
            feature.command = declare(command, entry.name)
            if entry.isShown { feature.presentations += presentations(command, entry) }
        }
        if entry.isShown { feature.presentations += entry.declaredPresentations }
        return feature
    }

    private func declare(_ report: ReportEntry, _ name: String) -> Report {
        let example = published(name) ?? sample(report)
        if report.isPlain, let field = report.fields.first?.field {
            var declared = Report(report.kind, field.type, unit: field.unit, example: example)
            declared.isNullable = field.isNullable
            return declared
        }
        var declared = Report(report.kind, report.fields.map(\.field), example: example)
        declared.isPartial = report.isPartial
        return declared
    }

    /// Returns a value that the feature publishes in one of the file's examples; nil if no example contains one.
    private func published(_ name: String) -> JSON.Value? {
        for example in examples {
            for step in example.steps {
                if let found = step.publishes.first(where: { $0.feature == name }) { return found.value }
            }
        }
        return nil
    }

    private func sample(_ report: ReportEntry) -> JSON.Value {
        if report.isPlain, let field = report.fields.first?.field { return field.sample }
        return .object(JSON.Object(report.fields.map { ($0.field.name, $0.field.sample) }))
    }

    private func declare(_ command: CommandEntry, _ name: String) -> Command {
        var fields = command.fields
        var traits: Command.Traits = []
        if command.isLatest { traits.insert(.latest) }
        if command.isConfirmed {
            traits.insert(.confirmed)
            fields.append(
                Field("confirm", .boolean, "Must be true, because the command cannot easily be undone."))
        }
        if command.isHazardous {
            traits.formUnion([.hazardous, .fleeting])
            fields += [
                Field(
                    "hold", .integer(0...Int.max),
                    "The number of the press that the command belongs to; a stop invalidates every earlier press."
                ),
                Field(
                    "echo", .text(1...64),
                    "The newest value that was read on bridge/<bridge>/echo. The command is then valid only while "
                        + "the echo is at most max_path_delay_ms old."),
            ]
        }
        let needsNothing = !command.isConfirmed && !command.fields.contains(where: \.isRequired)
        return Command(
            fields, shorthands: command.shorthand.map { [.field($0)] } ?? [],
            empty: needsNothing && command.fields.isEmpty ? [:] : nil, traits: traits,
            example: command.example)
    }

    // MARK: Home Assistant

    private func presentations(_ report: ReportEntry, _ entry: FeatureEntry) -> [Presentation] {
        if report.kind == .event {
            if case .event = entry.entity { return [] }
            let words = report.fields.filter { if case .choice = $0.field.type { true } else { false } }
            if report.isPartial {
                return words.map { field in
                    var event = Presentation.happening(
                        field.look.title ?? FieldLook.title(of: field.field.name), by: [field.field.name],
                        verb: Presentation.anyEvent, icon: field.look.icon)
                    event.id = field.field.name
                    return event
                }
            }
            let look = report.fields.lazy.map(\.look).first { $0.title != nil || $0.icon != nil }
            var happening = Presentation.happening(
                look?.title ?? FieldLook.title(of: entry.name), by: words.prefix(1).map(\.field.name),
                verb: Presentation.anyEvent, icon: look?.icon)
            happening.deviceClass = words.first?.look.deviceClass
            return [happening]
        }
        // A value that the user can set gets a control, which also shows the value. It needs no separate reading.
        guard !(entry.command?.echoes ?? false) else { return [] }
        return report.fields.compactMap { field in
            if entry.showsElsewhere(report: field.field.name) { return nil }
            switch field.field.type {
            case .list, .object, .any: return nil
            default: break
            }
            var reading = Presentation.reading(
                title(field, of: report.fields.count, entry), of: report.isPlain ? nil : field.field.name,
                // In Home Assistant, only entities that can be set may have the category `config`.
                purpose: field.look.category == nil ? .use : .diagnosis, icon: field.look.icon)
            reading.deviceClass = field.look.deviceClass
            return reading
        }
    }

    /// Returns the name of a field's entity. If a feature has only one field, the entity has the name of the feature.
    private func title(_ field: ReportField, of count: Int, _ entry: FeatureEntry) -> String {
        if let title = field.look.title { return title }
        if field.look.deviceClass == "battery" { return "Battery" }
        return FieldLook.title(of: count == 1 ? entry.name : field.field.name)
    }

    private func presentations(_ command: CommandEntry, _ entry: FeatureEntry) -> [Presentation] {
        guard !command.isConfirmed else { return [] }
        let title = FieldLook.title(of: entry.name)
        let condition: Presentation.Condition? = command.isHazardous ? .motion : nil
        guard !command.fields.isEmpty else {
            return [.action(title, sends: [:], id: "send", when: condition)]
        }
        guard command.echoes || command.isAssumed else { return [] }
        return command.fields.compactMap { field in
            switch field.type {
            case .boolean, .integer, .number, .choice: break
            default: return nil
            }
            if entry.showsElsewhere(command: field.name) { return nil }
            let isPlain = entry.report?.isPlain ?? false
            let shown = entry.report?.shown(field.name, echoes: command.echoes)
            guard shown != nil || command.isAssumed else { return nil }
            let others = command.fields.filter { $0.name != field.name && $0.isRequired }
            guard others.isEmpty else { return nil }
            return .control(
                shown?.look.title ?? (command.fields.count == 1 ? title : FieldLook.title(of: field.name)),
                of: Control(
                    field.name, state: Control.Source(field: isPlain && shown != nil ? nil : field.name)),
                purpose: (shown?.look.category).purpose, icon: shown?.look.icon, when: condition)
        }
    }
}

extension FieldLook.Category? {
    fileprivate var purpose: Presentation.Purpose {
        switch self {
        case .config: .configuration
        case .diagnostic: .diagnosis
        case nil: .use
        }
    }
}
