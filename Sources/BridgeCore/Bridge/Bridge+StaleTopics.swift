import Bluetooth
import BridgeContract
import BridgeParts
import Claims
import DeviceKit
import HomeAssistant
import Logging
import Messages

// Retained topics that an earlier run published and this run does not.
extension Bridge {
    /// Clears the topics of devices and groups that were removed or renamed while the bridge was down, as soon as the
    /// bridge knows the roster and which topics belong to other bridges.
    func clearStaleTopics() {
        hasStaleTopics = true
        clearStaleTopicsIfKnown()
    }

    /// Clears stale topics if the bridge now knows the roster and which topics belong to other bridges.
    func clearStaleTopicsIfKnown() {
        guard hasStaleTopics, broker.status.isConnected, broker.subscriptions.isComplete,
            broker.peers.areKnown(at: ports.time.now), !roster.isPending(at: ports.time.now)
        else { return }
        hasStaleTopics = false
        var current = Set(BridgeReports.states.map(topics.own))
        if settings.heartbeat != nil { current.insert(heartbeatTopic) }
        current.formUnion(dropEarlierGroups())
        current.formUnion(announcementTopics)
        current.formUnion(reports.describedFamilies.map(topics.features))
        for session in fleet.all { current.formUnion(session.publisher.stateTopics) }
        let stale = kept.state.retainedTopics.subtracting(current)
        let others = ForeignTopics(self)
        let foreign = stale.filter(others.contains)
        let own = stale.subtracting(foreign).sorted()
        // Announcements go first, so that no client shows the cleared topics.
        for topic in own where HomeAssistant.isAnnouncement(topic) { clear(topic) }
        for topic in own where !HomeAssistant.isAnnouncement(topic) { clear(topic) }
        noteCleared(own)
        guard let first = foreign.min() else { return }
        logger.info(
            "retained topics of an earlier run are kept, because other bridges publish them now",
            metadata: ["topic": "\(first)", "topics": "\(foreign.count)"])
        keep { $0.forget(topics: foreign) }
        ports.broker.release(foreign.sorted())
    }
}

/// The retained topics that belong to other bridges, derived from the ids, devices and names that these bridges
/// publish.
private struct ForeignTopics {
    private let topics: Topics
    /// The ids of the other bridges, each of which has topics of its own.
    private let bridges: Set<String>
    /// The addresses and names of the devices that online bridges have.
    private let addresses: Set<Address>
    private let names: Set<String>
    /// The Home Assistant identifiers of these bridges and devices.
    private let announced: Set<String>

    init(_ bridge: isolated Bridge) {
        topics = bridge.topics
        bridges = bridge.broker.peers.others(than: bridge.settings.host)
        let now = bridge.ports.time.now
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
