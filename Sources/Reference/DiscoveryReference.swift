import Bluetooth
package import BridgeContract
package import DeviceKit
import Haptics
import HomeAssistant
import JSON

/// The reference of the Home Assistant entities of every feature, generated from the announcements.
package struct DiscoveryReference: Sendable {
    struct Entry: Sendable {
        /// The topic, with placeholders such as `<id>` for names.
        var topic: String
        /// The feature's entities and device triggers, in words; empty if Home Assistant does not show the feature.
        var entities: [String]
    }

    /// The features of one family, of the bridge, or those that every device has.
    struct Section: Sendable {
        var title: String
        var entries: [Entry]
    }

    /// The sections, in the order of the reference.
    let sections: [Section]
    /// The announcement of the bridge, followed by the announcement of one example device for each family.
    let announcements: [HomeAssistant.Announcement]
    /// Example payloads of the topics that an announcement names, one object for each announcement.
    private let examples: [JSON.Object]

    /// - Parameter settings: The current settings; nil for the settings of an empty configuration with all optional
    ///   entities.
    package init(_ families: [any DeviceFamily], settings: BridgeSettings? = nil) {
        let shown =
            settings
            ?? BridgeSettings(
                id: "attic", version: "",
                homeAssistant: HomeAssistantSettings(hasDriveEntities: true))
        let surroundings = HomeAssistant.Surroundings(
            shown.homeAssistant ?? HomeAssistantSettings(), bridge: shown.id, baseTopic: shown.baseTopic,
            version: shown.version, patterns: shown.patterns.names)
        let group = "wearers"
        let bridge = surroundings.bridgeAnnouncement(families, groups: [(group, isHidden: false)])
        let devices = families.enumerated().map { index, family in
            surroundings.announcement(Self.example(family, number: index, shown))
        }
        announcements = [bridge] + devices
        let own =
            BridgeFeatures.reports + [GroupFeatures.state(of: group)] + BridgeFeatures.requests(families)
        let common = DeviceFeatures.all
        sections =
            [Section(title: "Every device", entries: common.map { Entry("<device>", $0, devices.first) })]
            + zip(families, devices).map { family, announcement in
                let name = family.naming == .each ? "\(family.name)/<id>" : family.name
                return Section(
                    title: family.displayName, entries: family.features.map { Entry(name, $0, announcement) })
            } + [
                Section(
                    title: "The bridge itself",
                    entries: own.map { Entry("bridge/<bridge>", $0, bridge) }
                        + [Entry("all", GroupFeatures.stop, bridge)])
            ]
        examples =
            [Self.examples(own, bridge)]
            + zip(families, devices).map { Self.examples(common + $0.features, $1) }
    }

    /// The announcements for programs: one JSON object on each line, with the topic and the message of an announcement,
    /// and with example payloads for the topics in the message.
    package var lines: [String] {
        zip(announcements, examples).map { announcement, examples in
            JSON.Value.object([
                "topic": .string(announcement.topic), "message": .object(announcement.published),
                "examples": .object(examples),
            ]).description
        }
    }

    private static func examples(
        _ features: [Feature], _ announcement: HomeAssistant.Announcement
    ) -> JSON.Object {
        var examples = JSON.Object()
        for member in announcement.components.members {
            let topics = ["state_topic", "topic"].compactMap { member.value[$0]?.string }
            for topic in topics {
                guard let report = features.first(where: { topic.hasSuffix("/\($0.name)") })?.report
                else { continue }
                let payloads = [report.example] + report.alternatives(of: report.example)
                examples[topic] = .array(payloads.map { .string($0.string ?? $0.description) })
            }
        }
        return examples
    }

    /// Returns an example device, with the name that a device has without configuration.
    private static func example(
        _ family: any DeviceFamily, number: Int, _ settings: BridgeSettings
    ) -> HomeAssistant.Device {
        var defaults = JSON.Object()
        for field in family.settings { defaults[field.name] = field.default }
        return HomeAssistant.Device(
            name: family.naming == .each ? "\(family.name)/a1b2c3" : family.name,
            address: Address(number: 0xC0FF_EEA1_B2C0 + UInt64(number)), family: family,
            settings: settings.families[family.name] ?? Arguments(defaults),
            appearance: Appearance(area: "Attic", icon: "mdi:hand-wave"),
            info: DeviceInfo(manufacturer: "Maker", firmware: "1.0"))
    }
}

extension Report {
    /// Returns other forms of the message: the example with `null` for every nullable field.
    fileprivate func alternatives(of example: JSON.Value) -> [JSON.Value] {
        guard case .object(let fields) = payload, var object = example.object else { return [] }
        for field in fields where field.isNullable { object[field.name] = .null }
        return JSON.Value.object(object) == example ? [] : [.object(object)]
    }
}
