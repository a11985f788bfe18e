package import Bluetooth
package import DeviceKit
package import JSON

/// The messages that announce devices to Home Assistant (MQTT discovery, device-based).
///
/// All content is derived from declared features and their presentations. No family has its own code here. The keys and
/// their values are defined by https://www.home-assistant.io/integrations/mqtt/ and checked against Home Assistant's
/// schemas by `Tests/HomeAssistant`.
package enum HomeAssistant {
    package struct Announcement: Hashable, Sendable {
        /// The topic. The message is retained.
        package var topic: String
        package var message: JSON.Object
        /// The name of the feature to which each component belongs, by the component's ID.
        package var features: [String: String]

        /// The components, by their ID within the device.
        package var components: JSON.Object { message["components"]?.object ?? JSON.Object() }
    }

    /// A function that returns two topics of a feature: for its reports and for its commands.
    package typealias Place = @Sendable (_ feature: String) -> (report: String, command: String)

    /// The device or bridge that a message announces, with the data that the components of the message need.
    package struct Subject: Sendable {
        /// The permanent ID in Home Assistant and in the topic: letters, digits, `_`, `-`.
        package var id: String
        /// The name that Home Assistant displays.
        package var name: String
        /// The prefix of the entity IDs in Home Assistant: `belt`. It depends neither on the displayed name nor on the
        /// area, so that automations and dashboards can be written before the device exists.
        package var entityPrefix: String
        package var features: [Feature]
        /// The features that the device lacks. Their components are removed from Home Assistant.
        package var lacking = Lacking()
        /// The features whose state has no value yet. Their readings are omitted, which neither creates nor removes an
        /// entity.
        package var unpublished: Set<String> = []
        /// The platforms of the components that were announced with earlier versions of the device's family, by key.
        package var announced: [String: String] = [:]
        /// The function that returns the topics of a feature.
        package var place: Place
        /// The topics that must all be `online` for the subject to be available, the bridge's topic first.
        package var availability: [String]
        /// A function that returns whether a condition of a presentation is met for this device.
        package var holds: @Sendable (Presentation.Condition) -> Bool
        /// The configured icon, which replaces the icons of the entities for the main purpose of the device; nil if
        /// none is configured.
        package var icon: String?
        /// The names of the haptic patterns that a message can name, and the pattern for any other text.
        package var patterns: (names: [String], other: String)

        package init(
            id: String, name: String, entityPrefix: String, features: [Feature], place: @escaping Place,
            availability: [String],
            holds: @escaping @Sendable (Presentation.Condition) -> Bool, icon: String?,
            patterns: (names: [String], other: String)
        ) {
            self.id = id
            self.name = name
            self.entityPrefix = entityPrefix
            self.features = features
            self.place = place
            self.availability = availability
            self.holds = holds
            self.icon = icon
            self.patterns = patterns
        }
    }

    /// The ID of a device. It depends neither on the connected bridge nor on the device's name.
    package static func id(_ address: Address) -> String {
        "tactile_bridge_\(Hex.string(address.number, digits: 12))"
    }

    /// The ID of a bridge. Characters that a Home Assistant topic cannot contain are encoded in hexadecimal.
    package static func id(bridge: String) -> String {
        let escaped = bridge.utf8.map { byte in
            isIDByte(byte)
                ? String(UnicodeScalar(byte)) : "_\(Hex.string(UInt64(byte), digits: 2))"
        }
        return "tactile_bridge_bridge_\(escaped.joined())"
    }

    /// A name as part of an entity's id. Home Assistant itself replaces letters other than `a-z`.
    package static func entityID(_ name: String) -> String {
        String(name.lowercased().map { $0.isLetter || $0.isNumber ? $0 : "_" })
    }

    private static func isIDByte(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            || byte == UInt8(ascii: "-")
    }

    package static func topic(prefix: String, id: String) -> String { "\(prefix)/device/\(id)/config" }

    /// Whether a topic is the topic of an announcement, with any prefix.
    package static func isAnnouncement(_ topic: String) -> Bool {
        topic.hasSuffix("/config") && topic.contains("/device/tactile_bridge_")
    }

    package static func announcement(
        _ subject: Subject, device: JSON.Object, prefix: String, version: String
    ) -> Announcement {
        let components = components(subject)
        var origin: JSON.Object = ["name": "Tactile Bridge"]
        if !version.isEmpty { origin["sw_version"] = .string(version) }
        return Announcement(
            topic: topic(prefix: prefix, id: subject.id),
            message: [
                "device": .object(device), "origin": .object(origin),
                "availability": .array(subject.availability.map { ["topic": .string($0)] }),
                "availability_mode": "all", "qos": 1,
                "components": .object(JSON.Object(components.map { ($0.id, .object($0.message)) })),
            ], features: Dictionary(components.map { ($0.id, $0.feature) }) { $1 })
    }

    /// The components of a subject. A component whose condition is not met contains only its platform, which removes an
    /// existing component.
    private static func components(
        _ subject: Subject
    ) -> [(id: String, feature: String, message: JSON.Object)] {
        let present: [(id: String, feature: String, message: JSON.Object)] = subject.features.flatMap {
            feature in
            // A field that the device has never sent has not been announced, so nothing needs to be removed.
            feature.presentations.filter { subject.lacking.knows($0, of: feature) }.flatMap { presentation in
                components(presentation, of: feature, subject).map { ($0.id, feature.name, $0.message) }
            }
        }
        // Home Assistant reads the components in order: a trigger that gets another ID must be removed first.
        return withdrawn(subject) + present
    }

    /// The components that earlier versions of the family declared. Only their platform is announced, which removes
    /// them.
    private static func withdrawn(
        _ subject: Subject
    ) -> [(id: String, feature: String, message: JSON.Object)] {
        guard !subject.announced.isEmpty else { return [] }
        let declared = platforms(subject)
        return subject.announced.filter { declared[$0.key] == nil }.sorted { $0.key < $1.key }
            .map { ($0.key, "", ["platform": .string($0.value)]) }
    }

    /// The platforms of all components that the features declare, by their key in the announcement.
    package static func platforms(_ subject: Subject) -> [String: String] {
        let components = subject.features.flatMap { feature in
            feature.presentations.flatMap { Component.all($0, of: feature, subject) }
        }
        return Dictionary(components.map { (subject.key($0), $0.platform) }) { first, _ in first }
    }

    private static func components(
        _ presentation: Presentation, of feature: Feature, _ subject: Subject
    ) -> [(id: String, message: JSON.Object)] {
        let components = Component.all(presentation, of: feature, subject)
        guard presentation.condition.map(subject.holds) ?? true,
            subject.lacking.allows(presentation, of: feature)
        else { return components.map { (subject.key($0), ["platform": .string($0.platform)]) } }
        if case .reading = presentation.kind, subject.unpublished.contains(feature.name) { return [] }
        return components.map { (subject.key($0), $0.message(subject)) }
    }
}

extension HomeAssistant.Subject {
    /// The key of a component in the announcement: its id. If a component of another platform had this key, the key also
    /// contains the platform, because one message cannot remove the former component and add the new one under one key.
    fileprivate func key(_ component: HomeAssistant.Component) -> String {
        let (id, platform) = (component.id, component.platform)
        return announced[id] ?? platform == platform ? id : "\(id)_\(platform)"
    }
}
