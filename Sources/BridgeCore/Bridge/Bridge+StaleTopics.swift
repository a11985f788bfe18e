import Bluetooth
import BridgeContract
import BridgeParts
import Claims
import DeviceKit
import HomeAssistant
import Logging
import Messages

// The retained topics that a former run has published and this one does not.
extension Bridge {
    /// Clears what was published for devices that were removed or renamed while the bridge was down, as soon as it is
    /// known what other bridges publish.
    func clearStaleTopics() {
        hasStaleTopics = true
        clearStaleTopicsIfKnown()
    }

    /// Clears it now, if it is known what other bridges publish.
    func clearStaleTopicsIfKnown() {
        guard hasStaleTopics, broker.status.isConnected, broker.subscriptions.isComplete,
            broker.peers.areKnown(at: world.time.now)
        else { return }
        hasStaleTopics = false
        var current = Set(BridgeReports.states.map(topics.own))
        if settings.heartbeat != nil { current.insert(heartbeatTopic) }
        current.formUnion(announcementTopics)
        current.formUnion(reports.describedFamilies.map(topics.features))
        for session in fleet.all { current.formUnion(session.publisher.stateTopics) }
        let stale = kept.state.retainedTopics.subtracting(current)
        let others = ForeignTopics(self)
        let foreign = stale.filter(others.contains)
        let own = stale.subtracting(foreign).sorted()
        // Announcements first, so that nothing shows what is cleared.
        for topic in own where HomeAssistant.isAnnouncement(topic) { clear(topic) }
        for topic in own where !HomeAssistant.isAnnouncement(topic) { clear(topic) }
        noteCleared(own)
        guard let first = foreign.min() else { return }
        logger.info(
            "topics of an earlier run are left to the bridges that publish them now",
            metadata: ["topic": "\(first)", "topics": "\(foreign.count)"])
        keep { $0.forget(topics: foreign) }
        world.broker.release(foreign.sorted())
    }
}

/// The retained topics that belong to other bridges, as far as bridges make that known.
private struct ForeignTopics {
    private let topics: Topics
    /// The other bridges, which have their own topics.
    private let bridges: Set<String>
    /// The devices that online bridges have, and their names.
    private let addresses: Set<Address>
    private let names: Set<String>
    /// The identifiers of all of them in Home Assistant.
    private let announced: Set<String>

    init(_ bridge: isolated Bridge) {
        topics = bridge.topics
        bridges = bridge.broker.peers.others(than: bridge.settings.host)
        let now = bridge.world.time.now
        let claims = bridge.holders.claims.filter { _, claim in
            claim.bridge != bridge.settings.id && claim.state != .released
                && bridge.broker.peers.life(of: claim, at: now) != .dead
        }
        addresses = Set(claims.map(\.address))
        names = Set(claims.compactMap(\.claim.name))
        announced = Set(bridges.map { HomeAssistant.id(bridge: $0) } + addresses.map { HomeAssistant.id($0) })
    }

    func contains(_ topic: String) -> Bool {
        if let bridge = topics.bridge(of: topic) { return bridges.contains(bridge) }
        if case .claim(let address) = topics.destination(topic) { return addresses.contains(address) }
        let levels = topic.split(separator: "/", omittingEmptySubsequences: false)
        if levels.count > 3, levels.last == "config", levels[levels.count - 3] == "device" {
            return announced.contains(String(levels[levels.count - 2]))
        }
        return topics.reported(topic).map { names.contains($0.device) } ?? false
    }
}
