import DeviceKit
import JSON

extension HomeAssistant {
    /// A component of an announcement: an entity or a device trigger.
    struct Component {
        /// The component's ID, unique within its device.
        var id: String
        /// The Home Assistant platform, such as `sensor`.
        var platform: String
        /// The configuration, in addition to the common keys of all entities.
        var details: JSON.Object
        var presentation: Presentation
        /// Whether the component is an entity, which has a name and an ID. A device trigger is not an entity.
        var isEntity = true

        /// Returns the components of a presentation, in order.
        static func all(_ presentation: Presentation, of feature: Feature, _ subject: Subject) -> [Component]
        {
            let name = feature.name.replacing("/", with: "--")
            let id = presentation.id.isEmpty ? name : "\(name)_\(presentation.id)"
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
            case .light(let light): return make(self.light(light, feature, subject))
            case .happening(let fields, let verb, let bits):
                let types = EventTypes(fields, feature, verb: verb, bits: bits)
                let event = make(event(types, presentation, feature, subject))
                return event + triggers(types, verb: verb, id: id, presentation, feature, subject)
            }
        }

        /// Returns the component as it appears in the announcement.
        func message(_ subject: Subject) -> JSON.Object {
            var object: JSON.Object = ["platform": .string(platform)]
            if isEntity {
                object["unique_id"] = .string("\(subject.id)_\(id)")
                object["default_entity_id"] = .string(
                    "\(platform).\(subject.entityPrefix)_\(HomeAssistant.entityID(presentation.title))")
                object["name"] = Self.name(presentation.title, beside: subject.name)
                object["icon"] = icon(subject).map { .string($0) }
                switch presentation.purpose {
                case .use: break
                case .configuration: object["entity_category"] = "config"
                case .diagnosis: object["entity_category"] = "diagnostic"
                }
                if isHidden(subject) { object["enabled_by_default"] = false }
                if presentation.holdsOffline {
                    // The last topic is the device's availability. The entity does not depend on it, so the entity
                    // stays available while the device is offline and the bridge is online.
                    let topics = subject.availability.dropLast()
                    object["availability"] = .array(topics.map { ["topic": .string($0)] })
                }
            }
            for member in details.members { object[member.key] = member.value }
            return object
        }

        /// Whether the entity is disabled by default. The continuously changing values of a stream are disabled,
        /// because they would fill Home Assistant's history.
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

        /// Returns a title without the device's name at its start, because Home Assistant prepends the device's name.
        package static func name(_ title: String, beside device: String) -> JSON.Value {
            let (lower, prefix) = (title.lowercased(), device.lowercased())
            if lower == prefix { return .null }
            guard lower.hasPrefix(prefix + " ") else { return .string(title) }
            let rest = title.dropFirst(device.count + 1)
            return .string(rest.prefix(1).uppercased() + rest.dropFirst())
        }
    }
}
