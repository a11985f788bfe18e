import BridgeContract
import BridgeParts
import Claims
import DeviceKit
import JSON
import Logging
import Messages

// Messages about the device, on its topics and to the bridge.
extension DeviceSession {
    var name: String { publisher.name }
    /// Which bridge owns the device's topics. The accessor yields the value without copying it, because the ownerships
    /// of all devices are checked when a bridge comes online or goes offline.
    var ownership: TopicOwnership { _read { yield publisher.ownership } }

    // MARK: Sending

    func send(_ publication: Publisher.Publication?) {
        guard let publication else { return }
        if publication.isNewTopic { notePublished(publication.message.topic) }
        counters.count(message: publication.message.policy)
        if publication.message.policy == .event { lastEvent = now }
        tapeMessage(publication)
        logSaid(publication)
        context.broker.publish(publication.message)
    }

    /// Reports to the bridge that a retained topic was published for the first time in this run.
    private func notePublished(_ topic: String) {
        context.changed(.published(topic: topic))
        guard let feature = topic.split(separator: "/").last.map(String.init),
            status.published.insert(feature).inserted, family.features.contains(where: { $0.name == feature })
        else { return }
        context.changed(.reported)
    }

    func send(_ publications: [Publisher.Publication]) { for each in publications { send(each) } }

    /// Publishes a value of a declared feature.
    func publish(_ feature: String, _ value: JSON.Value) {
        do throws(Publisher.Failure) {
            send(try publisher.publish(feature, value, at: context.time.date))
            count(value, of: feature)
            if !family.handedOver.isEmpty { noteIntent(of: feature) }
        } catch {
            logger.error(
                "the family publishes a feature that it does not declare; the value is dropped",
                metadata: ["feature": "\(feature)"])
        }
    }

    /// Clears a state of the family.
    func withdraw(_ feature: String) {
        send(publisher.withdraw(feature))
        count(nil, of: feature)
    }

    private func count(_ value: JSON.Value?, of feature: String) {
        if groupValues.note(value, of: feature, in: features) { context.changed(.counted) }
    }

    /// The declared states that the device has not reported yet.
    var unpublished: Set<String> {
        let states = family.features.filter { $0.report?.kind == .state }.map(\.name)
        return Set(states).subtracting(status.published)
    }

    /// Publishes all retained messages when this bridge becomes the owner of the device.
    func republish() {
        send(publisher.republish())
        context.changed(.described)
    }

    /// Clears the device's retained topics, because the device was removed.
    func clearTopics() {
        let (messages, topics) = publisher.clear()
        send(messages)
        context.changed(.cleared(topics: topics))
    }

    /// Stops managing the retained topics without clearing them, because another bridge owns the device now.
    func releaseTopics() {
        let topics = publisher.release()
        guard !topics.isEmpty else { return }
        context.broker.release(topics)
        context.changed(.released(topics: topics))
    }

    // MARK: Reports of every device

    func reportAll() {
        reportFeatures()
        reportInfo()
        reportConnection()
    }

    /// The names of the features that the device has.
    var featureNames: JSON.Value { features.names(without: status.lacking) }

    /// Whether the device has a feature with this name that takes commands.
    func takes(_ feature: String) -> Bool {
        features.command(feature) != nil && !status.lacking.commands.contains(feature)
    }

    func reportFeatures() {
        let value = FeatureReference.device(
            family, lacking: status.lacking, name: name, publisher.topics)
        send(publisher.publish(.features, value))
    }

    func reportInfo() {
        send(publisher.publish(.info, status.infoValue(family: family.name, address: address)))
        context.changed(.described)
    }

    /// Records a sign of life of the device.
    func noteSeen() { if status.noteSeen(at: now) { reportSeen() } }

    func reportSeen() {
        guard let value = status.lastSeen(now: now, date: context.time.date) else { return }
        send(publisher.publish(.lastSeen, value))
    }

    /// Publishes the state of the Bluetooth connection and the availability if they changed.
    func reportConnection() {
        let stage = stage
        let isNew = status.changed(to: stage, isReady: isReady, at: context.time.date)
        if isNew.any {
            context.changed(.connection)
            logger.debug(
                "connection state changed",
                metadata: [
                    "state": "\(stage.rawValue)", "ready": "\(isReady)",
                    "reason": "\(connector.supervision.reason ?? "")",
                ], source: LogSubsystem.links.rawValue)
        }
        if isNew.stage { tell(stage) }
        let connection = status.connection(
            connector.supervision, adapter: connector.linked?.adapter, of: ownership, now: now,
            date: context.time.date)
        send(publisher.publish(.connection, connection))
        noteOffering()
        sendClaim(isRepeated: false)
        reportAvailability(isFinal: false)
    }
}
