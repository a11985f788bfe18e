import Bluetooth
import DeviceKit
import JSON
import Logging

extension DeviceSession {
    /// The states that hold for every device besides what its family declares.
    private enum Common: String, CaseIterable {
        case availability, connection, info, features
        case lastSeen = "last_seen"
    }

    private static let seenInterval = Duration.seconds(60)

    // MARK: What the device says

    /// Publishes a value under a declared feature's name.
    func publish(_ feature: String, _ value: JSON.Value) {
        guard let report = outlet.reports[feature] else {
            return logger.error("the family publishes a feature that it does not declare: \(feature)")
        }
        switch report {
        case .state: publishState(feature, value)
        // What another bridge tells of the device is not told twice.
        case .event where !ownership.isOurs, .stream where !ownership.isOurs: break
        case .stream: send(feature, outlet.payload(value, feature), .stream)
        case .event:
            guard case .object(var object) = value else {
                return logger.error("an event that is no object: \(feature)")
            }
            object["time"] = .string(world.time.date.description)
            object["seq"] = .integer(outlet.nextSequence(feature))
            send(feature, JSON.Value.object(object).bytes, .event)
        }
    }

    /// Takes a state back.
    func withdraw(_ feature: String) {
        guard outlet.states.removeValue(forKey: feature) != nil, mayPublish(feature) else { return }
        send(feature, [], .state)
    }

    private func publishState(_ feature: String, _ value: JSON.Value) {
        let payload = outlet.payload(value, feature)
        guard outlet.states[feature] != payload else { return }
        outlet.states[feature] = payload
        guard mayPublish(feature) else { return }
        send(feature, payload, .state)
    }

    /// Whether this bridge publishes a state now: it speaks for the device, and does not wait for the broker's copy.
    private func mayPublish(_ feature: String) -> Bool {
        ownership.isOurs && !(isRecalling && feature == family.latching?.report)
    }

    /// Publishes a state that waited, as it is now.
    func publishAgain(_ feature: String) {
        guard let payload = outlet.states[feature], mayPublish(feature) else { return }
        send(feature, payload, .state)
    }

    private func send(_ feature: String, _ payload: [UInt8], _ policy: OutgoingMessage.Policy) {
        let topic = outlet.topic(feature) { world.topics.report(name, $0) }
        if policy == .state, !payload.isEmpty, outlet.published.insert(feature).inserted {
            world.changed(.published(topic: topic))
        }
        counters.count(message: policy)
        world.broker.publish(OutgoingMessage(topic: topic, payload: payload, policy: policy))
    }

    /// Says how this bridge stands to the device, although another one speaks on its topics.
    func claimOnce() {
        let feature = Common.connection.rawValue
        if let payload = outlet.states[feature] { send(feature, payload, .state) }
    }

    /// Says once more how this bridge stands to the device, for a bridge that has just come.
    func repeatConnection() {
        guard ownership.isOurs else { return }
        publishAgain(Common.connection.rawValue)
    }

    /// Says all that holds, as one who begins to speak.
    func speak() {
        for (feature, payload) in outlet.states.sorted(by: { $0.key < $1.key }) where mayPublish(feature) {
            send(feature, payload, .state)
        }
        world.changed(.described)
    }

    /// The topics of all states that the device may have.
    var stateTopics: [String] {
        let declared = outlet.reports.filter { $0.value == .state }.map(\.key)
        return (declared + Common.allCases.map(\.rawValue)).map { world.topics.report(name, $0) }
    }

    /// Clears the device's retained topics: it is gone.
    func clearTopics() {
        for feature in outlet.published.sorted() { send(feature, [], .state) }
        world.changed(.cleared(topics: outlet.published.map { world.topics.report(name, $0) }))
        outlet.published = []
    }

    // MARK: What every device says

    /// Whether a feature is one that every device has, which the session publishes itself.
    static func isCommon(_ feature: String) -> Bool { Common(rawValue: feature) != nil }

    func reportAll() {
        publishState(Common.features.rawValue, FeatureReference.device(family, name: name, world.topics))
        reportInfo()
        reportConnection()
    }

    /// The device was heard. That is said once a minute at most, since it is retained.
    func noteSeen() {
        seen = now
        guard reportedSeen.map({ now - $0 >= Self.seenInterval }) ?? true else { return }
        reportSeen()
    }

    /// Says when the device was heard last.
    func reportSeen() {
        guard let seen else { return }
        reportedSeen = now
        let date = TimeStamp(
            milliseconds: world.time.date.milliseconds - Int64((now - seen).milliseconds))
        publishState(Common.lastSeen.rawValue, .string(date.description))
    }

    func reportInfo() {
        func text(_ text: String?) -> JSON.Value { text.map { .string($0) } ?? .null }
        publishState(
            Common.info.rawValue,
            [
                "family": .string(family.name), "name": text(hostName),
                "address": .string(address.description), "manufacturer": text(info.manufacturer),
                "model": text(info.model), "hardware": text(info.hardware), "firmware": text(info.firmware),
                "serial": text(info.serial),
            ])
        world.changed(.described)
    }

    /// Publishes the connection's state and the availability if they changed.
    func reportConnection() {
        if reported.state != supervision.state || reported.isReady != isReady {
            since = world.time.date
            world.changed(.connection)
        }
        let isNewStage = reported.state != supervision.state
        reported = (supervision.state, isReady)
        if isNewStage { tell(supervision.state) }
        func text(_ text: String?) -> JSON.Value { text.map { .string($0) } ?? .null }
        let next = supervision.nextAttempt.map { moment in
            TimeStamp(milliseconds: world.time.date.milliseconds + Int64((moment - now).milliseconds))
        }
        // The time of the next attempt is computed from two clocks: only a new attempt is a change.
        if supervision.nextAttempt != reportedAttempt.moment {
            reportedAttempt = (supervision.nextAttempt, next?.description)
        }
        publishState(
            Common.connection.rawValue,
            [
                "state": .string(supervision.state.rawValue), "bridge": .string(world.topics.bridge),
                "address": .string(address.description), "configured": .bool(ownership.isConfigured),
                "bluetooth_adapter": text(adapter),
                "rssi": supervision.state == .connected ? rssi.map { .integer($0) } ?? .null : .null,
                "since": .string(since.description), "attempt": .integer(supervision.attempt),
                "reason": text(supervision.reason), "advice": text(supervision.advice),
                "next_attempt": text(reportedAttempt.text),
            ])
        publishState(Common.availability.rawValue, isReady ? "online" : "offline")
    }
}
