package import Bluetooth
package import DeviceKit
package import JSON

/// The messages by which devices announce themselves to Home Assistant (MQTT discovery, device-based).
///
/// Everything comes from declared features and their presentations; nothing here knows a family. Keys and their
/// values are those of https://www.home-assistant.io/integrations/mqtt/, checked against Home Assistant's own
/// schemas by `Tests/HomeAssistant`.
package enum HomeAssistant {
    /// A message that announces a device.
    package struct Announcement: Hashable, Sendable {
        /// Where it is published, retained.
        package var topic: String
        /// What it says.
        package var message: JSON.Object
        /// The feature of which each component was made.
        package var features: [String: String]

        /// The components, by what identifies them within the device.
        package var components: JSON.Object { message["components"]?.object ?? JSON.Object() }
    }

    /// Where a feature is published and commanded.
    package typealias Place = @Sendable (_ feature: String) -> (report: String, command: String)

    /// What is announced, and what components need to know of it.
    package struct Subject: Sendable {
        /// What identifies it in Home Assistant for ever, and in the topic: letters, digits, `_`, `-`.
        package var id: String
        /// Its name as people see it.
        package var name: String
        package var features: [Feature]
        /// What the subject has not of these; what it showed of them is removed.
        package var lacking = Lacking()
        /// Their topics.
        package var place: Place
        /// The topics that must all say `online` for it to be usable, the bridge's first.
        package var availability: [String]
        /// Whether a condition holds.
        package var holds: @Sendable (Presentation.Condition) -> Bool
        /// The picture that replaces those of what people use.
        package var icon: String?
        /// The haptic patterns that a message can name, and the one that stands for any other.
        package var patterns: (names: [String], other: String)

        package init(
            id: String, name: String, features: [Feature], place: @escaping Place, availability: [String],
            holds: @escaping @Sendable (Presentation.Condition) -> Bool, icon: String?,
            patterns: (names: [String], other: String)
        ) {
            self.id = id
            self.name = name
            self.features = features
            self.place = place
            self.availability = availability
            self.holds = holds
            self.icon = icon
            self.patterns = patterns
        }
    }

    /// The id of a device, the same whichever bridge it is connected to and whatever it is called.
    package static func id(_ address: Address) -> String {
        "tactile_bridge_\(Hex.string(address.number, digits: 12))"
    }

    /// The id of a bridge. What a topic of Home Assistant cannot hold is written in hexadecimal.
    package static func id(bridge: String) -> String {
        let escaped = bridge.utf8.map { byte in
            isIDByte(byte)
                ? String(UnicodeScalar(byte)) : "_\(Hex.string(UInt64(byte), digits: 2))"
        }
        return "tactile_bridge_bridge_\(escaped.joined())"
    }

    private static func isIDByte(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            || byte == UInt8(ascii: "-")
    }

    package static func topic(prefix: String, id: String) -> String { "\(prefix)/device/\(id)/config" }

    /// Whether a topic is that of an announcement, whatever its prefix.
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

    /// The components of a subject. One whose condition does not hold stands there by its platform alone, which
    /// removes what may be left of it.
    private static func components(
        _ subject: Subject
    ) -> [(id: String, feature: String, message: JSON.Object)] {
        subject.features.flatMap { feature in
            feature.presentations.flatMap { presentation in
                let isShown =
                    (presentation.condition.map(subject.holds) ?? true)
                    && subject.lacking.allows(presentation, of: feature)
                return Component.all(presentation, of: feature, subject).map { component in
                    (
                        component.id, feature.name,
                        isShown ? component.message(subject) : ["platform": .string(component.platform)]
                    )
                }
            }
        }
    }
}
