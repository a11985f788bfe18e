package import Bluetooth
package import DeviceKit
package import HomeAssistant
import JSON

extension HomeAssistant {
    /// What an announcement to Home Assistant must know about a device.
    package struct Device: Sendable {
        /// The device's name, which is the root of its topics.
        package var name: String
        /// The name that the device advertises; nil if it advertises none.
        package var ownName: String?
        package var address: Address
        package var family: any DeviceFamily
        package var settings: Arguments
        /// How Home Assistant displays the device.
        package var appearance: Appearance
        /// The information that the device reports about itself.
        package var info: DeviceInfo
        /// The declared features that this device lacks.
        package var lacking: Lacking
        /// The declared states that this device has not reported yet.
        package var unpublished: Set<String>
        /// The platforms of the components of earlier versions of its device file, by key.
        package var announced: [String: String] = [:]

        package init(
            name: String, ownName: String? = nil, address: Address, family: any DeviceFamily,
            settings: Arguments = [:], appearance: Appearance = Appearance(),
            info: DeviceInfo = DeviceInfo(), lacking: Lacking = Lacking(), unpublished: Set<String> = []
        ) {
            self.name = name
            self.ownName = ownName
            self.address = address
            self.family = family
            self.settings = settings
            self.appearance = appearance
            self.info = info
            self.lacking = lacking
            self.unpublished = unpublished
        }
    }

    /// What all announcements have in common: data of the bridge and of its configuration.
    package struct Surroundings: Sendable {
        /// The settings for Home Assistant.
        package var settings: HomeAssistantSettings
        package var bridge: String
        package var version: String
        /// The names of the haptic patterns.
        package var patterns: [String]
        let topics: Topics

        package init(
            _ settings: HomeAssistantSettings, bridge: String, baseTopic: String = "", version: String,
            patterns: [String] = []
        ) {
            self.settings = settings
            self.bridge = bridge
            self.version = version
            self.patterns = patterns
            topics = Topics(bridge: bridge, baseTopic: baseTopic)
        }

        /// Returns the announcement of a device. Its `via_device` is the bridge, so the bridge must be announced first.
        package func announcement(_ device: Device) -> Announcement {
            let (id, name) = (HomeAssistant.id(device.address), shownName(device))
            return HomeAssistant.announcement(
                subject(
                    device, id: id, topicName: device.name, name: name,
                    entityPrefix: HomeAssistant.entityID(device.name)),
                device: describe(device, id: id, name: name), prefix: settings.prefix, version: version)
        }

        /// Returns the announcement of an available device that is getting new topics.
        ///
        /// In its usual mode, Home Assistant treats a device as unavailable until it has read each new availability
        /// topic. In the mode `latest`, it does so only if a topic contains `offline`. This mode is temporary: with
        /// several retained messages, the order in which Home Assistant reads them is undefined.
        package func moving(_ device: Device) -> Announcement {
            var announcement = announcement(device)
            announcement.message["availability_mode"] = "latest"
            return announcement
        }

        /// Returns the stencil for a device: the part that the announcements of all devices of its kind share.
        package func stencil(_ device: Device) -> AnnouncementStencil {
            let places = AnnouncementStencil.placeholders
            let subject = subject(
                device, id: places.id, topicName: places.name, name: places.name,
                entityPrefix: places.entityPrefix)
            var message = HomeAssistant.announcement(
                subject, device: [:], prefix: settings.prefix, version: version
            ).message
            message["device"] = nil
            return AnnouncementStencil(
                HomeAssistant.shortened(message),
                titles: subject.features.flatMap { $0.presentations.map(\.title) })
        }

        /// The platforms of all components of a device, also of the components of earlier versions, by key.
        package func platforms(_ device: Device) -> [String: String] {
            let subject = subject(device, id: "", topicName: "", name: "", entityPrefix: "")
            return device.announced.merging(HomeAssistant.platforms(subject)) { first, _ in first }
        }

        /// Returns the bytes of ``announcement(_:)``, made from the stencil if it is valid for the device.
        package func payload(_ device: Device, _ stencil: AnnouncementStencil?) -> [UInt8] {
            let name = shownName(device)
            guard let stencil, stencil.fits(name) else {
                return JSON.Value.object(announcement(device).published).bytes
            }
            let id = HomeAssistant.id(device.address)
            let description: JSON.Object = ["device": .object(describe(device, id: id, name: name))]
            return stencil.payload(HomeAssistant.shortened(description), name: device.name, id: id)
        }

        private func shownName(_ device: Device) -> String {
            device.appearance.displayName ?? device.ownName ?? device.name.replacing("/", with: " ")
        }

        private func subject(
            _ device: Device, id: String, topicName: String, name: String, entityPrefix: String
        ) -> Subject {
            let (topics, settings) = (topics, settings)
            var subject = Subject(
                id: id, name: name, entityPrefix: entityPrefix,
                features: DeviceFeatures.all + device.family.features,
                place: { (topics.report(topicName, $0), topics.command(topicName, $0)) },
                availability: [topics.own("availability"), topics.report(topicName, "availability")],
                holds: { $0.holds(device.settings, motion: settings.hasDriveEntities) },
                icon: device.appearance.icon, patterns: (patterns, settings.messagePattern))
            subject.lacking = device.lacking
            subject.unpublished = device.unpublished
            subject.announced = device.announced
            return subject
        }

        private func describe(_ device: Device, id: String, name: String) -> JSON.Object {
            var object: JSON.Object = [
                "identifiers": [.string(id)],
                "connections": [["bluetooth", .string(device.address.description)]],
                "name": .string(name), "via_device": .string(HomeAssistant.id(bridge: bridge)),
                "model": .string(device.info.model ?? device.family.displayName),
            ]
            object["manufacturer"] = device.info.manufacturer.map { .string($0) }
            object["sw_version"] = device.info.firmware.map { .string($0) }
            object["hw_version"] = device.info.hardware.map { .string($0) }
            object["serial_number"] = device.info.serial.map { .string($0) }
            object["suggested_area"] = device.appearance.area.map { .string($0) }
            return object
        }

        /// Returns the announcement of the bridge.
        ///
        /// - Parameters:
        ///   - joinable: Descriptions of devices that need their own permission. They follow the name of the button that
        ///     permits devices to join.
        ///   - groups: The groups whose states the bridge publishes, and whether their entities are disabled by default.
        ///   - formerGroups: The groups whose entities are removed.
        package func bridgeAnnouncement(
            _ families: [any DeviceFamily], joinable: [String] = [],
            groups: [(name: String, isHidden: Bool)] = [], formerGroups: [String] = []
        ) -> Announcement {
            let id = HomeAssistant.id(bridge: bridge)
            let name = "Tactile Bridge \(bridge)"
            let topics = topics
            let requests = BridgeFeatures.requests(families)
            let former = formerGroups.map { GroupFeatures.state(of: $0) }
            var subject = Subject(
                id: id, name: name, entityPrefix: HomeAssistant.entityID(name),
                features: BridgeFeatures.reports + requests + [GroupFeatures.stop]
                    + groups.map { GroupFeatures.state(of: $0.name, isHidden: $0.isHidden) } + former,
                place: { feature in
                    // The stop of all devices is a command to a group and not a request, so its topic differs.
                    let isStop = feature == GroupFeatures.stop.name
                    return (
                        topics.own(feature),
                        isStop
                            ? topics.command(Groups.all, feature) : topics.own("request/\(feature)")
                    )
                },
                availability: [topics.own("availability")], holds: { _ in true }, icon: nil,
                patterns: ([], settings.messagePattern))
            subject.lacking = Lacking(reports: Set(former.map(\.name)))
            var device: JSON.Object = [
                "identifiers": [.string(id)], "name": .string(name), "model": "Tactile Bridge",
            ]
            if !version.isEmpty { device["sw_version"] = .string(version) }
            var announcement = HomeAssistant.announcement(
                subject, device: device, prefix: settings.prefix, version: version)
            announcement.append(joinable, toName: "permit_join_start")
            return announcement
        }
    }
}

extension HomeAssistant.Announcement {
    /// Appends texts to the name of a component, if there are any.
    fileprivate mutating func append(_ texts: [String], toName component: String) {
        var components = components
        guard !texts.isEmpty, var message = components[component]?.object, let name = message["name"]?.string
        else { return }
        message["name"] = .string("\(name) (not with this button: \(texts.joined(separator: "; ")))")
        components[component] = .object(message)
        self.message["components"] = .object(components)
    }
}

extension Presentation.Condition {
    /// Whether this condition is true for a device with these settings.
    fileprivate func holds(_ settings: Arguments, motion: Bool) -> Bool {
        switch self {
        case .setting(let name): settings.flag(name)
        case .motion: motion
        case .both(let one, let other):
            one.holds(settings, motion: motion) && other.holds(settings, motion: motion)
        }
    }
}
