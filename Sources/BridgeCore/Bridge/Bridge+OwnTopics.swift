import BridgeContract
import BridgeParts
import DeviceKit
import HomeAssistant
import JSON
import Messages

// Retained topics of this bridge that another client clears or overwrites. The bridge publishes them again.
//
// Over MQTT 5 the bridge subscribes to its own topics with the option "no local": the broker sends nothing until
// another client publishes there. Over MQTT 3.1.1 the broker would return everything that the bridge publishes, so
// the bridge subscribes to its availability only.
extension Bridge {
    /// The subscriptions that show what other clients publish on the bridge's own topics.
    var guardFilters: [TopicFilter] { topics.ownTopics.map(guardFilter) }

    private func guardFilter(_ topic: String) -> TopicFilter {
        TopicFilter(topic, qos: 0, skipsStored: true, version: .five)
    }

    /// Subscribes to the topic of an announcement to Home Assistant, which is not below a topic of the bridge or a
    /// device.
    func guardAnnouncement(_ topic: String) { ports.broker.subscribe([guardFilter(topic)]) }

    func leaveAnnouncements(_ topics: [String]) { ports.broker.unsubscribe(topics) }

    /// The subscriptions for commands to a device that name no feature. Over MQTT 5 these commands arrive with the
    /// subscription for everything that other clients publish on the device's topics. With two subscriptions for one
    /// topic, a command might arrive twice.
    func bareCommandFilters(_ name: String, qos: Int) -> [TopicFilter] {
        let bare = topics.bareCommand(name)
        if broker.bareCommands.contains(name) { return [TopicFilter(bare, qos: qos)] }
        return [
            TopicFilter(topics.all(name), qos: qos, skipsStored: true, version: .five),
            TopicFilter(bare, qos: qos, version: .three),
        ]
    }

    /// Handles the refusal of a subscription that only detects what other clients publish. Commands must still arrive.
    ///
    /// - Returns: Whether the subscription is of that kind.
    func refusedGuard(_ filter: String) -> Bool {
        if topics.ownTopics.contains(filter) { return true }
        guard let (name, feature) = topics.reported(filter), feature == "+",
            let session = fleet.session(named: name)
        else { return announcements.contains(filter) }
        broker.bareCommands.insert(name)
        ports.broker.unsubscribe([filter])
        if session.isListening { ports.broker.subscribe(filters(session)) }
        return true
    }

    /// Publishes a retained topic again if another client has cleared or overwritten it.
    func restoreIfOwn(_ message: IncomingMessage) {
        guard message.isRetained, !isStopping, broker.subscriptions.isComplete,
            message.payloadSize == message.payload.count, kept.isRetained(message.topic)
        else { return }
        switch intake.destination(of: message.topic) {
        // Other bridges publish on these topics too, so their messages are not overwritten. Each bridge reacts to the
        // content.
        case .claim?, .roster?: return
        default:
            if isOtherLink(message) { return }
            ports.broker.restore(message.topic, insteadOf: message.payload)
        }
    }

    /// Publishes a claim again if another client has cleared it or overwritten it with an invalid message.
    /// ``DeviceClaim`` handles valid claims of other bridges.
    func restoreClaim(_ message: IncomingMessage) {
        guard !message.isRetained, !isStopping, message.payloadSize == message.payload.count,
            kept.isRetained(message.topic)
        else { return }
        ports.broker.restore(message.topic, insteadOf: message.payload)
    }

    /// Whether another bridge reports its own Bluetooth connection to a device, as it does until both bridges have
    /// settled which of them has the device.
    private func isOtherLink(_ message: IncomingMessage) -> Bool {
        guard topics.reported(message.topic)?.feature == Publisher.Common.connection.rawValue else {
            return false
        }
        return (try? JSON.Value(parsing: message.payload))?["bridge"]?.string.map { $0 != settings.id }
            ?? false
    }
}
