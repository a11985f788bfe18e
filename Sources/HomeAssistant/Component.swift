import DeviceKit
import JSON

extension HomeAssistant {
    /// One component of an announcement: an entity, or a trigger of the device.
    struct Component {
        /// What identifies it within its device.
        var id: String
        /// The kind of entity: `sensor`.
        var platform: String
        /// What it says besides what every entity says.
        var details: JSON.Object
        /// What it was made of.
        var presentation: Presentation
        /// Whether it is an entity, with a name and an id; a trigger is not.
        var isEntity = true

        /// The components of a presentation, in order.
        static func all(_ presentation: Presentation, of feature: Feature, _ subject: Subject) -> [Component]
        {
            let id = presentation.id.isEmpty ? feature.name : "\(feature.name)_\(presentation.id)"
            func make(_ made: (platform: String, details: JSON.Object)?) -> [Component] {
                made.map {
                    [
                        Component(
                            id: id, platform: $0.platform, details: $0.details, presentation: presentation)
                    ]
                } ?? []
            }
            switch presentation.kind {
            case .reading(let field): return make(reading(field, presentation, feature, subject))
            case .control(let control): return make(self.control(control, presentation, feature, subject))
            case .action(let payload): return make(action(payload, feature, subject))
            case .message(let field): return make(message(through: field, feature, subject))
            case .happening(let fields, let verb, let bits):
                let types = EventTypes(fields, feature, verb: verb, bits: bits)
                let event = make(event(types, presentation, feature, subject))
                return event + triggers(types, verb: verb, id: id, presentation, feature, subject)
            }
        }

        /// The component as the announcement has it.
        func message(_ subject: Subject) -> JSON.Object {
            var object: JSON.Object = ["platform": .string(platform)]
            if isEntity {
                object["unique_id"] = .string("\(subject.id)_\(id)")
                object["name"] = Self.name(presentation.title, beside: subject.name)
                object["icon"] = icon(subject).map { .string($0) }
                switch presentation.purpose {
                case .use: break
                case .configuration: object["entity_category"] = "config"
                case .diagnosis: object["entity_category"] = "diagnostic"
                }
                if isHidden(subject) { object["enabled_by_default"] = false }
                if presentation.holdsOffline {
                    // What tells whether the bridge is there can always be told.
                    let topics = subject.availability.dropLast()
                    object["availability"] = .array(topics.map { ["topic": .string($0)] })
                }
            }
            for member in details.members { object[member.key] = member.value }
            return object
        }

        /// What changes all the time would fill Home Assistant's history: it is there for who asks for it.
        private func isHidden(_ subject: Subject) -> Bool {
            if let isHidden = presentation.isHidden { return isHidden }
            return subject.features.contains { feature in
                feature.report?.kind == .stream
                    && details["state_topic"] == .string(subject.place(feature.name).report)
            }
        }

        private func icon(_ subject: Subject) -> String? {
            if presentation.purpose == .use, let icon = subject.icon { return icon }
            return presentation.icon.map { "mdi:\($0)" }
        }

        /// A name that does not repeat the device's, which Home Assistant puts in front.
        package static func name(_ title: String, beside device: String) -> JSON.Value {
            let (lower, prefix) = (title.lowercased(), device.lowercased())
            if lower == prefix { return .null }
            guard lower.hasPrefix(prefix + " ") else { return .string(title) }
            let rest = title.dropFirst(device.count + 1)
            return .string(rest.prefix(1).uppercased() + rest.dropFirst())
        }
    }
}
