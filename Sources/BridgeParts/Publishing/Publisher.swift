package import Bluetooth
package import BridgeContract
package import Claims
package import DeviceKit
package import JSON
package import Messages

/// Decides which messages this bridge publishes on a device's topics: the device's current states, events and streams.
/// Nothing is published while another bridge owns the topics.
///
/// The methods return the messages to send.
package struct Publisher: Sendable {
    package struct Publication: Hashable, Sendable {
        package var message: OutgoingMessage
        /// Whether the message is on a retained topic that this bridge has not published before.
        package var isNewTopic = false
        /// Whether the message can reveal typed text.
        package var isPrivate = false
    }

    /// Why a value cannot be published.
    package enum Failure: Error { case undeclared, eventWithoutObject }

    /// The states of every device, in addition to those that its family declares.
    package enum Common: String, CaseIterable {
        case availability, connection, info, features
        case lastSeen = "last_seen"
    }

    package let topics: Topics
    /// The device's name, which is part of its topics.
    package private(set) var name: String
    package var ownership: TopicOwnership
    /// Whether the broker is connected.
    package var hasBroker = false
    /// Whether the broker may have a retained report of an emergency stop that has not arrived yet. Until the message
    /// arrives, this bridge does not publish that report, because the new report would overwrite the retained one.
    package private(set) var isRecalling = false
    /// The other bridge whose ``Claim`` (statement of ownership) on the device, or on a device with the same name,
    /// arrived last.
    package private(set) var claimant: String?
    private var limiter = RepublishLimiter()
    private var outlet: Outlet
    /// This bridge's claim on the device as published; nil if there is none.
    private var publishedClaim: [UInt8]?
    private let latchReport: String?

    /// - Parameter latchReport: The state that reports an emergency stop; nil for a device without latch.
    package init(
        _ topics: Topics, name: String, address: Address, outlet: Outlet, latchReport: String? = nil,
        isConfigured: Bool
    ) {
        self.topics = topics
        self.name = name
        self.latchReport = latchReport
        ownership = TopicOwnership(bridge: topics.bridge, address: address, isConfigured: isConfigured)
        self.outlet = outlet
    }

    // MARK: Single values

    /// Publishes a value of a declared feature. Returns nil if a state is unchanged, or while another bridge owns the
    /// topics.
    package mutating func publish(
        _ feature: String, _ value: JSON.Value, at date: @autoclosure () -> TimeStamp
    ) throws(Failure) -> Publication? {
        guard let (index, kind) = outlet.declared(feature) else { throw .undeclared }
        if kind == .stream { outlet.note(value, at: index, date()) }
        switch kind {
        case .state: return publishState(feature, value, at: index)
        case .event where !ownership.isOurs, .stream where !ownership.isOurs: return nil
        case .stream: return publication(feature, outlet.payload(value, at: index), .stream, at: index)
        case .event:
            guard case .object(let object) = value else { throw .eventWithoutObject }
            let payload = object.bytes(adding: [
                .init(key: "time", value: .string(date().description)),
                .init(key: "seq", value: .integer(outlet.nextSequence(at: index))),
            ])
            return publication(feature, payload, .event, at: index)
        }
    }

    /// Publishes a state that every device has.
    package mutating func publish(_ state: Common, _ value: JSON.Value) -> Publication? {
        publishState(state.rawValue, value, at: outlet.index(of: state.rawValue))
    }

    /// The current value of a state, parsed; nil if there is none, or if its payload is not JSON.
    package func state(_ feature: String) -> JSON.Value? {
        outlet.states[feature].flatMap { try? JSON.Value(parsing: $0) }
    }

    /// Whether the current value of a state is this text, even if another bridge owns the topics and the value is not
    /// published.
    package func isSaid(_ state: Common, _ word: String) -> Bool {
        outlet.states[state.rawValue].map { $0 == Array(word.utf8) } ?? false
    }

    /// The newest value of a stream that is not private, with its time; nil if there is none.
    package func newest(_ feature: String) -> (value: JSON.Value, time: TimeStamp)? { outlet.newest(feature) }

    /// Removes a state and clears its topic.
    package mutating func withdraw(_ feature: String) -> Publication? {
        guard outlet.states.removeValue(forKey: feature) != nil, mayPublish(feature) else { return nil }
        return publication(feature, [], .state)
    }

    /// Returns the answer to a command in the sender's format.
    package mutating func answer(_ request: CommandRequest, _ object: JSON.Object) -> OutgoingMessage {
        let index = outlet.index(of: Outlet.answers)
        return request.message(
            object, usually: outlet.topic(at: index) { topics.report(name, Outlet.answers) },
            sequence: outlet.nextSequence(at: index))
    }

    private mutating func publishState(
        _ feature: String, _ value: JSON.Value, at index: Int
    ) -> Publication? {
        let payload = outlet.payload(value, at: index)
        guard outlet.states[feature] != payload else { return nil }
        outlet.states[feature] = payload
        return mayPublish(feature) ? publication(feature, payload, .state, at: index) : nil
    }

    private func mayPublish(_ feature: String) -> Bool {
        ownership.isOurs && !(isRecalling && feature == latchReport)
    }

    private mutating func publication(
        _ feature: String, _ payload: [UInt8], _ policy: OutgoingMessage.Policy, at index: Int? = nil
    ) -> Publication {
        let index = index ?? outlet.index(of: feature)
        let topic = outlet.topic(at: index) { topics.report(name, feature) }
        let isNew = policy == .state && !payload.isEmpty && outlet.published.insert(feature).inserted
        return Publication(
            message: OutgoingMessage(topic: topic, payload: payload, policy: policy), isNewTopic: isNew,
            isPrivate: outlet.entries[index].isPrivate)
    }

    // MARK: All states

    /// Publishes a state again although it has not changed.
    package mutating func republish(_ feature: String) -> Publication? {
        guard mayPublish(feature), let payload = outlet.states[feature] else { return nil }
        return publication(feature, payload, .state)
    }

    /// Publishes all states again.
    package mutating func republish() -> [Publication] {
        outlet.states.keys.sorted().compactMap { republish($0) }
    }

    /// The topics of all states that the device may have.
    package var stateTopics: [String] {
        let states = outlet.declaredStates + Common.allCases.map(\.rawValue)
        return states.map { topics.report(name, $0) } + [claimTopic]
    }

    /// Clears the retained topics of a removed device.
    package mutating func clear() -> (messages: [Publication], topics: [String]) {
        var messages = outlet.published.sorted().map { publication($0, [], .state) }
        if publishedClaim != nil {
            messages.append(
                Publication(message: OutgoingMessage(topic: claimTopic, payload: [], policy: .state)))
        }
        defer { (outlet.published, publishedClaim) = ([], nil) }
        return (messages, outgoing)
    }

    /// Stops publishing the device's retained topics, because another bridge owns them now.
    ///
    /// - Returns: The topics. The claim is not among them if this bridge still has to publish a last claim.
    package mutating func release() -> [String] {
        let topics = ownership.lastWord == nil ? outgoing : outgoing.filter { $0 != claimTopic }
        outlet.published = []
        if ownership.lastWord == nil { publishedClaim = nil }
        return topics
    }

    /// Forgets the states that the family declares, because they are no longer valid.
    package mutating func forgetDeclared() { outlet.forgetStates { Common(rawValue: $0) == nil } }

    /// Continues under another device name. The owner of the new topics is unknown.
    package mutating func rename(_ name: String) {
        self.name = name
        outlet.forgetTopics()
        ownership.renamed()
    }
}

// How the bridge behaves if other bridges publish on the same topics.
extension Publisher {
    /// What to do after another bridge has overwritten the states.
    package enum Repetition: Hashable, Sendable {
        /// Nothing is published, because another bridge owns the topics.
        case none
        case now([Publication])
        /// The states were published again too often; call ``repeatAll(at:)`` again at this time.
        case later(Duration)
    }

    /// Publishes all states again after another bridge has overwritten them.
    package mutating func repeatAll(at now: Duration) -> Repetition {
        guard ownership.isOurs else { return .none }
        guard limiter.mayPublish(at: now) else { return limiter.next.map { .later($0) } ?? .none }
        return .now(republish())
    }

    /// Handles a claim on the device, this bridge's own or another's, which can change the owner of the topics.
    package mutating func heard(_ claim: Claim, _ peers: Neighbors, at now: Duration)
        -> TopicOwnership.Reaction
    {
        if claim.bridge != topics.bridge { claimant = claim.bridge }
        return ownership.heard(claim, peers, at: now)
    }

    /// Handles a device of another bridge with the same name.
    package mutating func heard(
        _ rival: NameRival, _ peers: Neighbors, isLinked: Bool
    ) -> TopicOwnership.Reaction {
        claimant = rival.claim.bridge
        return ownership.heard(rival, peers, isLinked: isLinked)
    }
}

// This bridge's claim on the device: a retained message on a topic that contains the device's address.
extension Publisher {
    private var claimTopic: String { topics.claim(ownership.address) }

    /// Whether this bridge's claim on the device is published.
    package var hasClaim: Bool { publishedClaim != nil }

    /// Publishes this bridge's claim on the device if it changed.
    ///
    /// - Parameter isRepeated: Whether to publish it even if it is unchanged.
    package mutating func publish(_ claim: ClaimMessage, isRepeated: Bool) -> Publication? {
        let payload = claim.payload
        let isNew = publishedClaim == nil
        guard isRepeated || payload != publishedClaim else { return nil }
        publishedClaim = payload
        return Publication(
            message: OutgoingMessage(topic: claimTopic, payload: payload, policy: .state), isNewTopic: isNew)
    }

    /// Leaves the published claim on the broker, without publishing it again after a reconnect.
    ///
    /// - Returns: Its topic; nil if this bridge has published none.
    package mutating func releaseClaim() -> String? {
        defer { publishedClaim = nil }
        return publishedClaim.map { _ in claimTopic }
    }

    /// The retained topics that wait for the broker, or are published again after a reconnect.
    package var outgoing: [String] {
        outlet.published.map { topics.report(name, $0) } + (publishedClaim.map { _ in [claimTopic] } ?? [])
    }
}

// The recall of an emergency stop: before this bridge publishes the state of the emergency stop, it reads the retained
// message in which an earlier run or another bridge may have reported one.
extension Publisher {
    /// The topic of the retained emergency stop; nil for a device without latch (stored emergency stop).
    package var recalledTopic: String? { latchReport.map { topics.report(name, $0) } }

    /// Starts to wait for the retained message that may report an emergency stop.
    ///
    /// - Returns: The topic to subscribe to; nil if the wait is under way, or the device has no latch.
    package mutating func beginRecall() -> String? {
        guard let recalledTopic, !isRecalling else { return nil }
        isRecalling = true
        return recalledTopic
    }

    /// Reads a message on a topic of the device's reports. Returns its value; nil unless it is the awaited retained
    /// message.
    package func recalled(_ feature: String, _ payload: [UInt8]) -> JSON.Value? {
        guard isRecalling, feature == latchReport, payload.count <= CommandGate.maximumPayload else {
            return nil
        }
        return try? JSON.Value(parsing: payload)
    }

    /// Ends the wait, after all retained messages have arrived.
    ///
    /// - Returns: The topic to unsubscribe from; nil if nothing was awaited.
    package mutating func endRecall() -> String? {
        defer { isRecalling = false }
        return isRecalling ? recalledTopic : nil
    }

    /// Publishes the state of the emergency stop, which waited for its retained message.
    package mutating func publishRecalled() -> Publication? { latchReport.flatMap { republish($0) } }
}
