import Bluetooth
import BridgeContract
import BridgeParts
import Claims
import DeviceKit
import Haptics
import HomeAssistant
import JSON
import Messages

// The announcements of the bridge and its devices to Home Assistant (MQTT discovery).
extension Bridge {
    /// The context of all announcements; nil if the configuration disables Home Assistant.
    var surroundings: HomeAssistant.Surroundings? {
        settings.homeAssistant.map {
            HomeAssistant.Surroundings(
                $0, bridge: settings.id, baseTopic: settings.baseTopic, version: settings.version,
                patterns: settings.patterns.names)
        }
    }

    /// The discovery topics of this bridge and its devices.
    var announcementTopics: Set<String> {
        guard let prefix = settings.homeAssistant?.prefix else { return [] }
        let ids = [HomeAssistant.id(bridge: settings.id)] + fleet.addresses.map { HomeAssistant.id($0) }
        return Set(ids.map { HomeAssistant.topic(prefix: prefix, id: $0) })
    }

    /// Announces the bridge. This announcement must come before those of the devices: Home Assistant creates a
    /// placeholder for an unknown `via_device`, and this placeholder stays.
    func announceBridge() {
        guard let surroundings, let home = settings.homeAssistant else { return }
        ports.broker.subscribe([TopicFilter(home.statusTopic, qos: 0)])
        publish(bridgeAnnouncement(surroundings))
    }

    private func bridgeAnnouncement(_ surroundings: HomeAssistant.Surroundings) -> HomeAssistant.Announcement
    {
        surroundings.bridgeAnnouncement(
            families, joinable: admission.button.texts,
            groups: groupReports.current.sorted().map { ($0, isHidden: Groups.isOfFamilies($0)) },
            formerGroups: groupReports.former.sorted())
    }

    /// How long a disconnected device waits for its first announcement if there are other bridges. Bridges that start
    /// together initially own the same devices, and an announcement is the longest message about a device.
    static let announcementDelay = Duration.seconds(10)
    /// How long the bridge waits for the first values of a device before it announces the device. An entity without a
    /// value would be displayed as unknown, so each entity is announced with its first value.
    static let firstValuesTime = Duration.seconds(1)
    /// The minimum pause before the timer announces further devices whose delay is over.
    private static let announcementPace = Duration.milliseconds(250)

    /// Announces a device at the end of this turn of the event loop, since several changes may follow each other.
    func announceSoon(_ session: DeviceSession) {
        guard let prefix = settings.homeAssistant?.prefix else { return }
        let topic = HomeAssistant.topic(prefix: prefix, id: HomeAssistant.id(session.address))
        guard !session.holdsLink, broker.peers.hasOthers, !announcements.contains(topic) else {
            announcements.changed(session.address)
            return endTurn()
        }
        announceLater(session)
    }

    /// Announces a device after a delay, with all changes that happen during the delay. Anyone in radio range can
    /// change the name that a device advertises, again and again.
    func announceLater(_ session: DeviceSession, after delay: Duration = announcementDelay) {
        guard settings.homeAssistant != nil else { return }
        let due = ports.time.now + delay
        announcements.changed(session.address, due: due)
        startTimer(.announcements, at: min(due, timers.deadline(.announcements) ?? due))
    }

    /// Announces the devices whose delay is over, if this bridge still owns them.
    func announcementsAreDue() {
        let now = ports.time.now
        if let next = announcements.release(at: now) {
            startTimer(.announcements, at: max(next, now + Self.announcementPace))
        }
        endTurn()
    }

    /// Announces a device if this bridge owns it and the announcement changed.
    ///
    /// - Parameters:
    ///   - name: The name that the device is about to have; nil for its current name.
    ///   - again: Whether an unchanged announcement is published too.
    func announce(_ session: DeviceSession, as name: String? = nil, again: Bool = false) {
        guard let surroundings, session.ownership.isOurs else { return }
        var device = HomeAssistant.Device(
            name: name ?? session.name, ownName: ownNames[session.address], address: session.address,
            family: session.family,
            settings: session.settings, appearance: appearance(session.address),
            info: session.status.info, lacking: session.status.lacking, unpublished: session.unpublished)
        device.announced = knownComponents(of: session.address)
        let isOfFile = session.family.source == .file || !session.family.revision.isEmpty
        if isOfFile || !device.announced.isEmpty {
            let platforms = surroundings.platforms(device)
            if platforms != device.announced { rememberComponents(platforms, of: session) }
        }
        let topic = HomeAssistant.topic(
            prefix: surroundings.settings.prefix, id: HomeAssistant.id(session.address))
        publish(announcements.publish(device, on: topic, surroundings, again: again), on: topic)
    }

    /// How long an available device has a special announcement after its topics changed, so that Home Assistant can
    /// read the new topics. Home Assistant subscribes to them within a second.
    static let moveTime = Duration.seconds(5)

    /// Keeps a device available in Home Assistant while its topics change.
    func keepAvailable(_ session: DeviceSession) {
        guard settings.homeAssistant != nil, session.isReady else { return }
        let end = ports.time.now + Self.moveTime
        announcements.moved(session.address, until: end)
        // One timer serves all devices. The new time must not delay a device that waits for its first announcement.
        startTimer(.announcements, at: min(end, timers.deadline(.announcements) ?? end))
    }

    /// Announces every device whose announcement changed.
    func announceAll() {
        for session in fleet.all { announce(session) }
    }

    /// Records the name that a device advertises, and announces the devices whose displayed names change with it.
    func noteOwnName(_ name: String?, of address: Address) {
        for other in ownNames.set(name, of: address) {
            if let session = fleet[other] { announceLater(session) }
        }
    }

    func appearance(_ address: Address) -> Appearance {
        settings[address]?.appearance ?? roster.roster.entries[address]?.appearance ?? Appearance()
    }

    /// Withdraws all announcements if the discovery prefix changed, and announces the bridge under the new prefix.
    /// The devices follow with ``announceAll()``.
    func moveAnnouncements(from before: HomeAssistantSettings?) {
        guard before?.prefix != settings.homeAssistant?.prefix else { return }
        if let before { ports.broker.unsubscribe([before.statusTopic]) }
        let topics = announcements.forgetAll()
        leaveAnnouncements(topics)
        noteCleared(topics)
        for topic in topics { clear(topic) }
        announceBridge()
    }

    private func publish(_ announcement: HomeAssistant.Announcement, again: Bool = false) {
        publish(announcements.publish(announcement, again: again), on: announcement.topic)
    }

    private func publish(_ payload: [UInt8]?, on topic: String) {
        guard let payload else { return }
        keep { $0.keep(topic: topic) }
        guardAnnouncement(topic)
        ports.broker.publish(OutgoingMessage(topic: topic, payload: payload, policy: .state))
    }

    /// Repeats all announcements after a start of Home Assistant, the bridge first.
    func announceAgain() {
        guard let surroundings else { return }
        publish(bridgeAnnouncement(surroundings), again: true)
        announceAgain(fleet.addresses.sorted()[...])
    }

    /// Repeats the announcements of devices, one in each turn of the event loop, so that no other work waits for all
    /// of them.
    private func announceAgain(_ addresses: ArraySlice<Address>) {
        guard let address = addresses.first, let prefix = settings.homeAssistant?.prefix else { return }
        let topic = HomeAssistant.topic(prefix: prefix, id: HomeAssistant.id(address))
        if let session = fleet[address], announcements.contains(topic) { announce(session, again: true) }
        let rest = addresses.dropFirst()
        spawn { $0.announceAgain(rest) }
    }

    /// Clears the announcement of a removed device.
    func withdrawAnnouncement(_ address: Address) {
        guard let topic = forgetAnnouncement(address) else { return }
        noteCleared([topic])
        clear(topic)
    }

    /// Leaves a device's announcement to the bridge that now owns the device.
    func releaseAnnouncement(_ address: Address) {
        guard let topic = forgetAnnouncement(address) else { return }
        keep { $0.forget(topics: [topic]) }
        ports.broker.release([topic])
    }

    private func forgetAnnouncement(_ address: Address) -> String? {
        guard let prefix = settings.homeAssistant?.prefix else { return nil }
        let topic = HomeAssistant.topic(prefix: prefix, id: HomeAssistant.id(address))
        announcements.stays(address)
        guard announcements.forget(topic) else { return nil }
        leaveAnnouncements([topic])
        return topic
    }
}
