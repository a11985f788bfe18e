package import Bluetooth

/// Creates and parses all topics. No other code composes topics.
package struct Topics: Hashable, Sendable {
    /// What an incoming message is, as its topic shows.
    package enum Destination: Hashable, Sendable {
        /// A command to a device or a group. A command for the feature `left` of the device `belt` has the same topic
        /// as a command without a feature for the device `belt/left`.
        case command(device: String, feature: String)
        /// A request to this bridge.
        case request(String)
        /// A request to all bridges.
        case commonRequest(String)
        /// A state that a bridge publishes about itself.
        case peer(bridge: String, PeerState)
        /// A claim, which states which bridge has a device.
        case claim(Address)
        /// An offer: a bridge is about to connect to a device.
        case offer(bridge: String)
        /// The roster's entry for a device, or its groups.
        case roster(key: String)
        /// A bridge's list of the families that it supports.
        case families(bridge: String)
    }

    /// The states of other bridges that a bridge subscribes to.
    package enum PeerState: String, Hashable, Sendable, CaseIterable { case availability, info }

    /// The first level of claims on devices.
    static let claimRoot = "claim"
    /// The last level of a bridge's offers.
    package static let offerName = "offer"
    /// The id in the topics of requests to all bridges.
    static let everyBridge = "all"
    /// The last level of a command without a feature, `<device>/set`.
    package static let noFeature = "set"

    /// The root of the roster; no name of a device or group may start with this root or with ``claimRoot``.
    static let rosterRoot = "roster"
    /// The root of answers; the next level is the name of the user who receives them.
    static let replyRoot = "reply"
    /// The root of zones: `zone/<zone>` is the group of the devices in a zone.
    static let zoneRoot = "zone"
    /// The last level of a bridge's list of families.
    package static let familiesName = "families"

    package let bridge: String
    /// The prefix of all topics: empty, or the base topic with a slash at its end.
    private let prefix: String

    package init(bridge: String, baseTopic: String) {
        self.bridge = bridge
        prefix = baseTopic.isEmpty ? "" : baseTopic + "/"
    }

    package func report(_ device: String, _ feature: String) -> String { "\(prefix)\(device)/\(feature)" }
    package func commands(_ device: String) -> String { "\(prefix)\(device)/+/set" }
    package func command(_ device: String, _ feature: String) -> String {
        "\(prefix)\(device)/\(feature)/set"
    }
    /// The topic of a command without a feature.
    package func bareCommand(_ device: String) -> String { report(device, Self.noFeature) }
    package func result(_ device: String) -> String { report(device, "result") }
    package func own(_ name: String) -> String { "\(prefix)bridge/\(bridge)/\(name)" }
    /// The topic of the description of a family's features.
    package func features(of family: String) -> String { own("features/\(family)") }
    /// The topic of a group's state on this bridge.
    package func groupState(_ group: String) -> String { own("\(GroupFeatures.stateRoot)/\(group)") }
    package func response(_ request: String) -> String { own("response/\(request)") }
    /// The filters for messages of other clients on this bridge's own topics.
    package var ownTopics: [String] { [own("+"), own("features/+"), own(GroupFeatures.anyState)] }
    /// The filter for messages of other clients on a device's topics, which also matches commands without a feature.
    package func all(_ device: String) -> String { report(device, "+") }

    /// The id of the bridge that a topic `bridge/<bridge>/…` belongs to; nil for any other topic.
    package func bridge(of topic: String) -> String? {
        guard topic.hasPrefix("\(prefix)bridge/") else { return nil }
        let levels = topic.dropFirst(prefix.count).split(separator: "/", omittingEmptySubsequences: false)
        return levels.count > 2 ? String(levels[1]) : nil
    }

    /// The filter for a state of all bridges.
    package func peers(_ state: PeerState) -> String { "\(prefix)bridge/+/\(state.rawValue)" }
    package func claim(_ address: Address) -> String { "\(prefix)\(Self.claimRoot)/\(address.digits)" }
    /// The filter for the claims on all devices.
    package var claims: String { "\(prefix)\(Self.claimRoot)/+" }
    /// The filter for the offers of all bridges.
    package var offers: String { "\(prefix)bridge/+/\(Self.offerName)" }
    package func roster(_ key: String) -> String { "\(prefix)\(Self.rosterRoot)/\(key)" }
    /// The filter for the lists of families of all bridges.
    package var families: String { "\(prefix)bridge/+/\(Self.familiesName)" }
    package var requests: String { own("request/+") }
    package var commonRequests: String { "\(prefix)bridge/\(Self.everyBridge)/request/+" }

    /// The device and the feature of a topic on which a device reports; nil for a topic with only one level.
    package func reported(_ topic: String) -> (device: String, feature: String)? {
        guard topic.hasPrefix(prefix), let slash = topic.lastIndex(of: "/"),
            slash >= topic.index(topic.startIndex, offsetBy: prefix.count)
        else { return nil }
        return (String(topic[..<slash].dropFirst(prefix.count)), String(topic[topic.index(after: slash)...]))
    }

    /// Parses a topic; nil if this bridge does not subscribe to it.
    package func destination(_ topic: String) -> Destination? {
        guard topic.hasPrefix(prefix) else { return nil }
        let levels = topic.dropFirst(prefix.count).split(separator: "/", omittingEmptySubsequences: false)
        if levels.count == 4, levels[0] == "bridge", levels[2] == "request" {
            if levels[1] == bridge { return .request(String(levels[3])) }
            if levels[1] == Self.everyBridge { return .commonRequest(String(levels[3])) }
        }
        if levels.count == 3, levels[0] == "bridge", levels[2] == Self.offerName {
            return .offer(bridge: String(levels[1]))
        }
        if levels.count == 2, levels[0] == Self.claimRoot, let address = Address(digits: levels[1]) {
            return .claim(address)
        }
        if levels.count == 3, levels[0] == "bridge", let state = PeerState(rawValue: String(levels[2])) {
            return .peer(bridge: String(levels[1]), state)
        }
        if levels.count == 3, levels[0] == "bridge", levels[2] == Self.familiesName {
            return .families(bridge: String(levels[1]))
        }
        if levels.count == 2, levels[0] == Self.rosterRoot { return .roster(key: String(levels[1])) }
        if levels.count >= 3, levels.last == "set" {
            return .command(
                device: levels.dropLast(2).joined(separator: "/"), feature: String(levels[levels.count - 2]))
        }
        if levels.count == 2, levels[1] == Self.noFeature {
            return .command(device: String(levels[0]), feature: Self.noFeature)
        }
        return nil
    }
}
