import BridgeContract
import BridgeParts
import DeviceKit
import HomeAssistant
import JSON
import Messages

// Retained topics of this bridge that another client empties or overwrites: they are published again.
//
// Over MQTT 5 the bridge subscribes to its own topics without its own messages, which costs nothing until somebody else
// publishes there. Over MQTT 3.1.1 all that the bridge publishes would come back, so that it follows its availability only.
extension Bridge {
    /// What is subscribed to know what other clients publish on the bridge's own topics.
    var guardFilters: [TopicFilter] { topics.ownTopics.map(guardFilter) }

    private func guardFilter(_ topic: String) -> TopicFilter {
        TopicFilter(topic, qos: 0, skipsStored: true, version: .five)
    }

    /// Follows an announcement to Home Assistant, which is not below the bridge's or the device's topics.
    func guardAnnouncement(_ topic: String) { world.broker.subscribe([guardFilter(topic)]) }

    /// Follows announcements no longer.
    func leaveAnnouncements(_ topics: [String]) { world.broker.unsubscribe(topics) }

    /// The commands to a device that name no feature. Over MQTT 5 they come with whatever other clients publish on the
    /// device's topics: two subscriptions that cover one topic may bring a command twice.
    func bareCommandFilters(_ name: String, qos: Int) -> [TopicFilter] {
        let bare = topics.bareCommand(name)
        if broker.bareCommands.contains(name) { return [TopicFilter(bare, qos: qos)] }
        return [
            TopicFilter(topics.all(name), qos: qos, skipsStored: true, version: .five),
            TopicFilter(bare, qos: qos, version: .three),
        ]
    }

    /// The broker refuses a subscription that only serves to follow what others publish; commands must arrive all the same.
    ///
    /// - Returns: Whether the subscription is of that kind.
    func refusedGuard(_ filter: String) -> Bool {
        if topics.ownTopics.contains(filter) { return true }
        guard let (name, feature) = topics.reported(filter), feature == "+",
            let session = fleet.session(named: name)
        else { return announcements.contains(filter) }
        broker.bareCommands.insert(name)
        world.broker.unsubscribe([filter])
        if session.isListening { world.broker.subscribe(filters(session)) }
        return true
    }

    /// Publishes a retained topic again if another client has emptied or overwritten it.
    func restoreIfOwn(_ message: IncomingMessage) {
        guard message.isRetained, !isStopping, broker.subscriptions.isComplete,
            message.payloadSize == message.payload.count, kept.isRetained(message.topic)
        else { return }
        switch intake.destination(of: message.topic) {
        // Bridges agree on these by what they publish there.
        case .claim?, .roster?: return
        default:
            if isOtherLink(message) { return }
            world.broker.restore(message.topic, insteadOf: message.payload)
        }
    }

    /// Publishes a claim again which another client has emptied, or overwritten with what is none. Those of other bridges
    /// are contested by what is in them.
    func restoreClaim(_ message: IncomingMessage) {
        guard !message.isRetained, !isStopping, message.payloadSize == message.payload.count,
            kept.isRetained(message.topic)
        else { return }
        world.broker.restore(message.topic, insteadOf: message.payload)
    }

    /// Whether another bridge reports its own link to a device, as it does until both know which one has it.
    private func isOtherLink(_ message: IncomingMessage) -> Bool {
        guard topics.reported(message.topic)?.feature == Publisher.Common.connection.rawValue else {
            return false
        }
        return (try? JSON.Value(parsing: message.payload))?["bridge"]?.string.map { $0 != settings.id }
            ?? false
    }
}
