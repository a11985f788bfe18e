package import Bluetooth
package import BridgeContract
package import Claims
package import DeviceKit
package import JSON
package import Messages

/// Decides what this bridge says on a device's topics: its states as they hold, its events and its streams, and
/// whether this bridge says them at all.
///
/// It returns the messages to send.
package struct Publisher: Sendable {
    /// A message to send.
    package struct Publication: Hashable, Sendable {
        package var message: OutgoingMessage
        /// Whether the broker gets a retained topic that it did not have from this bridge.
        package var isNewTopic = false
        /// Whether it can tell what a person types.
        package var isPrivate = false
    }

    /// Why a value cannot be published.
    package enum Failure: Error { case undeclared, eventWithoutObject }

    /// The states that hold for every device besides those that its family declares.
    package enum Common: String, CaseIterable {
        case availability, connection, info, features
        case lastSeen = "last_seen"
    }

    package let topics: Topics
    /// The device's name, which is its topic.
    package private(set) var name: String
    package var ownership: TopicOwnership
    /// Whether the broker is connected.
    package var hasBroker = false
    /// Whether the broker may have an emergency stop of the device in store. Until that has arrived this bridge does
    /// not publish the state that reports it: it would overwrite what it asks for.
    package private(set) var isRecalling = false
    /// The bridge that claimed the device last.
    package private(set) var claimant: String?
    private var limiter = RepublishLimiter()
    private var outlet: Outlet
    /// The claim on the device as the broker has it from this bridge; nil if it has none.
    private var publishedClaim: [UInt8]?
    private let latchReport: String?

    /// - Parameter latchReport: The state that reports an emergency stop; nil for a device that keeps none.
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

    // MARK: One value

    /// Takes a value of a declared feature; returns nothing for a state that did not change, and while another bridge
    /// speaks for the device.
    package mutating func publish(
        _ feature: String, _ value: JSON.Value, at date: @autoclosure () -> TimeStamp
    ) throws(Failure) -> Publication? {
        guard let (place, kind) = outlet.declared(feature) else { throw .undeclared }
        if kind == .stream { outlet.note(value, at: place, date()) }
        switch kind {
        case .state: return publishState(feature, value, at: place)
        case .event where !ownership.isOurs, .stream where !ownership.isOurs: return nil
        case .stream: return publication(feature, outlet.payload(value, at: place), .stream, at: place)
        case .event:
            guard case .object(let object) = value else { throw .eventWithoutObject }
            let payload = object.bytes(adding: [
                .init(key: "time", value: .string(date().description)),
                .init(key: "seq", value: .integer(outlet.nextSequence(at: place))),
            ])
            return publication(feature, payload, .event, at: place)
        }
    }

    /// Takes a state that every device has.
    package mutating func publish(_ state: Common, _ value: JSON.Value) -> Publication? {
        publishState(state.rawValue, value, at: outlet.place(of: state.rawValue))
    }

    /// The value of a state that is an object, as it holds.
    package func state(_ feature: String) -> JSON.Value? {
        outlet.states[feature].flatMap { try? JSON.Value(parsing: $0) }
    }

    /// Whether a state is said, or will be once this bridge speaks for the device, with this word.
    package func isSaid(_ state: Common, _ word: String) -> Bool {
        outlet.states[state.rawValue].map { $0 == Array(word.utf8) } ?? false
    }

    /// The newest value of a stream that is not private, and its time; nil where none came yet.
    package func newest(_ feature: String) -> (value: JSON.Value, time: TimeStamp)? { outlet.newest(feature) }

    /// Takes a state back.
    package mutating func withdraw(_ feature: String) -> Publication? {
        guard outlet.states.removeValue(forKey: feature) != nil, mayPublish(feature) else { return nil }
        return publication(feature, [], .state)
    }

    /// The answer to a command, as its sender gets it.
    package mutating func answer(_ request: CommandRequest, _ object: JSON.Object) -> OutgoingMessage {
        let place = outlet.place(of: Outlet.answers)
        return request.message(
            object, usually: outlet.topic(at: place) { topics.report(name, Outlet.answers) },
            sequence: outlet.nextSequence(at: place))
    }

    private mutating func publishState(
        _ feature: String, _ value: JSON.Value, at place: Int
    ) -> Publication? {
        let payload = outlet.payload(value, at: place)
        guard outlet.states[feature] != payload else { return nil }
        outlet.states[feature] = payload
        return mayPublish(feature) ? publication(feature, payload, .state, at: place) : nil
    }

    private func mayPublish(_ feature: String) -> Bool {
        ownership.isOurs && !(isRecalling && feature == latchReport)
    }

    private mutating func publication(
        _ feature: String, _ payload: [UInt8], _ policy: OutgoingMessage.Policy, at place: Int? = nil
    ) -> Publication {
        let place = place ?? outlet.place(of: feature)
        let topic = outlet.topic(at: place) { topics.report(name, feature) }
        let isNew = policy == .state && !payload.isEmpty && outlet.published.insert(feature).inserted
        return Publication(
            message: OutgoingMessage(topic: topic, payload: payload, policy: policy), isNewTopic: isNew,
            isPrivate: outlet.lines[place].isPrivate)
    }

    // MARK: All that holds

    /// A state as it is now, although it did not change.
    package mutating func republish(_ feature: String) -> Publication? {
        guard mayPublish(feature), let payload = outlet.states[feature] else { return nil }
        return publication(feature, payload, .state)
    }

    /// Every state as it is now.
    package mutating func republish() -> [Publication] {
        outlet.states.keys.sorted().compactMap { republish($0) }
    }

    /// The topics of all states that the device may have.
    package var stateTopics: [String] {
        let states = outlet.declaredStates + Common.allCases.map(\.rawValue)
        return states.map { topics.report(name, $0) } + [claimTopic]
    }

    /// Clears the retained topics: the device is gone.
    package mutating func clear() -> (messages: [Publication], topics: [String]) {
        var messages = outlet.published.sorted().map { publication($0, [], .state) }
        if publishedClaim != nil {
            messages.append(
                Publication(message: OutgoingMessage(topic: claimTopic, payload: [], policy: .state)))
        }
        defer { (outlet.published, publishedClaim) = ([], nil) }
        return (messages, outgoing)
    }

    /// Leaves the retained topics to the bridge that speaks on them now; a last word on the claim is still to be sent.
    package mutating func release() -> [String] {
        let topics = ownership.lastWord == nil ? outgoing : outgoing.filter { $0 != claimTopic }
        outlet.published = []
        if ownership.lastWord == nil { publishedClaim = nil }
        return topics
    }

    /// Forgets the states that the family declares: they hold no more.
    package mutating func forgetDeclared() { outlet.forgetStates { Common(rawValue: $0) == nil } }

    /// Begins under another name, of which it is not known which bridge speaks there.
    package mutating func rename(_ name: String) {
        self.name = name
        outlet.forgetTopics()
        ownership.renamed()
    }
}

// Other bridges that speak on the same topics.
extension Publisher {
    /// What becomes of the wish to say again all that holds.
    package enum Repetition: Hashable, Sendable {
        /// It is another bridge's to say.
        case none
        case now([Publication])
        /// It was said too often.
        case later(Duration)
    }

    /// Says again all that holds, since another bridge has overwritten it.
    package mutating func repeatAll(at now: Duration) -> Repetition {
        guard ownership.isOurs else { return .none }
        guard limiter.mayPublish(at: now) else { return limiter.next.map { .later($0) } ?? .none }
        return .now(republish())
    }

    /// A bridge says on the device's claim how it stands to the device.
    package mutating func heard(_ claim: Claim, _ peers: Neighbors, at now: Duration)
        -> TopicOwnership.Reaction
    {
        if claim.bridge != topics.bridge { claimant = claim.bridge }
        return ownership.heard(claim, peers, at: now)
    }

    /// Another device has this name at another bridge.
    package mutating func heard(
        _ rival: NameRival, _ peers: Neighbors, isLinked: Bool
    ) -> TopicOwnership.Reaction {
        claimant = rival.claim.bridge
        return ownership.heard(rival, peers, isLinked: isLinked)
    }
}

// The claim on the device, by its address.
extension Publisher {
    private var claimTopic: String { topics.claim(ownership.address) }

    /// Whether the broker has a claim on the device from this bridge.
    package var hasClaim: Bool { publishedClaim != nil }

    /// What this bridge says on the device's claim, if that is new.
    ///
    /// - Parameter isRepeated: Whether it is said although it is not new.
    package mutating func publish(_ claim: ClaimMessage, isRepeated: Bool) -> Publication? {
        let payload = claim.payload
        let isNew = publishedClaim == nil
        guard isRepeated || payload != publishedClaim else { return nil }
        publishedClaim = payload
        return Publication(
            message: OutgoingMessage(topic: claimTopic, payload: payload, policy: .state), isNewTopic: isNew)
    }

    /// Leaves the claim as the broker has it.
    ///
    /// - Returns: Its topic; nil if this bridge has published none.
    package mutating func releaseClaim() -> String? {
        defer { publishedClaim = nil }
        return publishedClaim.map { _ in claimTopic }
    }

    /// The retained topics that wait for the broker, or are published again at its return.
    package var outgoing: [String] {
        outlet.published.map { topics.report(name, $0) } + (publishedClaim.map { _ in [claimTopic] } ?? [])
    }
}

// The emergency stop that the broker may have in store.
extension Publisher {
    /// The topic that may hold it; nil for a device that keeps none.
    package var recalledTopic: String? { latchReport.map { topics.report(name, $0) } }

    /// Begins to wait for what is in store.
    ///
    /// - Returns: The topic to subscribe; nil if it is awaited already, or the device keeps no emergency stop.
    package mutating func beginRecall() -> String? {
        guard let recalledTopic, !isRecalling else { return nil }
        isRecalling = true
        return recalledTopic
    }

    /// Reads a message on the topic of one of the device's reports; nil for one that is not awaited.
    package func recalled(_ feature: String, _ payload: [UInt8]) -> JSON.Value? {
        guard isRecalling, feature == latchReport, payload.count <= CommandGate.maximumPayload else {
            return nil
        }
        return try? JSON.Value(parsing: payload)
    }

    /// All that was in store has arrived.
    ///
    /// - Returns: The topic to unsubscribe; nil if nothing was awaited.
    package mutating func endRecall() -> String? {
        defer { isRecalling = false }
        return isRecalling ? recalledTopic : nil
    }

    /// The state that waited for what was in store, as it is now.
    package mutating func publishRecalled() -> Publication? { latchReport.flatMap { republish($0) } }
}
