import Bluetooth
import BridgeContract
import BridgeParts
import Claims
import DeviceKit
import Haptics
import HomeAssistant
import JSON
import Messages

// How the bridge and its devices announce themselves to Home Assistant.
extension Bridge {
    /// What announcements are made in; nil where the configuration wants none.
    var surroundings: HomeAssistant.Surroundings? {
        settings.homeAssistant.map {
            HomeAssistant.Surroundings(
                $0, bridge: settings.id, baseTopic: settings.baseTopic, version: settings.version,
                patterns: settings.patterns.names)
        }
    }

    /// The topics on which this bridge and its devices are announced.
    var announcementTopics: Set<String> {
        guard let prefix = settings.homeAssistant?.prefix else { return [] }
        let ids = [HomeAssistant.id(bridge: settings.id)] + fleet.addresses.map { HomeAssistant.id($0) }
        return Set(ids.map { HomeAssistant.topic(prefix: prefix, id: $0) })
    }

    /// Announces the bridge. It comes before any device, since a device that hangs on an unknown one would bring a
    /// phantom of it that stays.
    func announceBridge() {
        guard let surroundings, let home = settings.homeAssistant else { return }
        world.broker.subscribe([TopicFilter(home.statusTopic, qos: 0)])
        publish(bridgeAnnouncement(surroundings))
    }

    private func bridgeAnnouncement(_ surroundings: HomeAssistant.Surroundings) -> HomeAssistant.Announcement
    {
        surroundings.bridgeAnnouncement(families, joinable: admission.button.texts)
    }

    /// How long a device without a link waits for this bridge's first announcement where there are other bridges: of
    /// several that start together each speaks for it at first, and an announcement is the longest of all that is said.
    static let announcementDelay = Duration.seconds(10)
    /// How long one waits for others.
    private static let announcementPace = Duration.milliseconds(250)

    /// Announces a device at the end of this round: what is new about it comes in several pieces.
    func announceSoon(_ session: DeviceSession) {
        guard let prefix = settings.homeAssistant?.prefix else { return }
        let topic = HomeAssistant.topic(prefix: prefix, id: HomeAssistant.id(session.address))
        guard !session.holdsLink, broker.peers.hasOthers, !announcements.contains(topic) else {
            announcements.changed(session.address)
            return tidyUp()
        }
        let due = world.time.now + Self.announcementDelay
        announcements.changed(session.address, due: due)
        if !clockwork.runs(.announcements) { startTimer(.announcements, at: due) }
    }

    /// Announces devices that have waited for it, as far as this bridge speaks for them still.
    func announcementsAreDue() {
        let now = world.time.now
        if let next = announcements.release(at: now) {
            startTimer(.announcements, at: max(next, now + Self.announcementPace))
        }
        tidyUp()
    }

    /// Announces a device, if this bridge speaks for it and something about it is new.
    ///
    /// - Parameters:
    ///   - name: The name that it is about to have; nil for the one that it has.
    ///   - again: Whether it is announced even if nothing is new.
    func announce(_ session: DeviceSession, as name: String? = nil, again: Bool = false) {
        guard let surroundings, session.ownership.isOurs else { return }
        let device = HomeAssistant.Device(
            name: name ?? session.name, address: session.address, family: session.family,
            settings: session.settings, appearance: appearance(session.address),
            info: session.status.info, lacking: session.status.lacking)
        let topic = HomeAssistant.topic(
            prefix: surroundings.settings.prefix, id: HomeAssistant.id(session.address))
        publish(announcements.publish(device, on: topic, surroundings, again: again), on: topic)
    }

    /// For how long an announcement lets Home Assistant read new topics of a device that is available: it subscribes to
    /// them within a second.
    static let moveTime = Duration.seconds(5)

    /// Lets Home Assistant go on taking a device for available while its topics become others.
    func keepAvailable(_ session: DeviceSession) {
        guard settings.homeAssistant != nil, session.isReady else { return }
        let end = world.time.now + Self.moveTime
        announcements.moved(session.address, until: end)
        // A device that waits for its first announcement waits longer.
        startTimer(.announcements, at: min(end, clockwork.deadline(.announcements) ?? end))
    }

    /// Announces what is new about any device.
    func announceAll() {
        for session in fleet.all { announce(session) }
    }

    func appearance(_ address: Address) -> Appearance {
        settings[address]?.appearance ?? roster.roster.entries[address]?.appearance ?? Appearance()
    }

    /// Home Assistant looks elsewhere now, or nowhere: withdraws everything, and announces the bridge where it looks.
    /// The devices follow with ``announceAll()``.
    func moveAnnouncements(from before: HomeAssistantSettings?) {
        guard before?.prefix != settings.homeAssistant?.prefix else { return }
        if let before { world.broker.unsubscribe([before.statusTopic]) }
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
        world.broker.publish(OutgoingMessage(topic: topic, payload: payload, policy: .state))
    }

    /// Home Assistant has started: says everything again, the bridge first.
    func announceAgain() {
        guard let surroundings else { return }
        publish(bridgeAnnouncement(surroundings), again: true)
        announceAgain(fleet.addresses.sorted()[...])
    }

    /// Announces devices once more, one in a round of the loop, so that nothing waits for all of them.
    private func announceAgain(_ addresses: ArraySlice<Address>) {
        guard let address = addresses.first, let prefix = settings.homeAssistant?.prefix else { return }
        let topic = HomeAssistant.topic(prefix: prefix, id: HomeAssistant.id(address))
        if let session = fleet[address], announcements.contains(topic) { announce(session, again: true) }
        let rest = addresses.dropFirst()
        spawn { $0.announceAgain(rest) }
    }

    /// Removes a device that is gone.
    func withdrawAnnouncement(_ address: Address) {
        guard let topic = forgetAnnouncement(address) else { return }
        noteCleared([topic])
        clear(topic)
    }

    /// Leaves a device's announcement to the bridge that speaks for it now.
    func releaseAnnouncement(_ address: Address) {
        guard let topic = forgetAnnouncement(address) else { return }
        keep { $0.forget(topics: [topic]) }
        world.broker.release([topic])
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
