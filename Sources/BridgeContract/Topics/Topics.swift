package import Bluetooth

/// The names of all topics, and what an incoming topic means. Nothing else puts topics together.
package struct Topics: Hashable, Sendable {
    /// What an incoming topic means.
    package enum Destination: Hashable, Sendable {
        /// A command to a device (or a group) by its name. What looks like a command to the feature `left` of `belt` may
        /// be one to the device `belt/left` that names no feature.
        case command(device: String, feature: String)
        /// A request to this bridge.
        case request(String)
        /// A request to every bridge.
        case commonRequest(String)
        /// What a bridge says of itself.
        case peer(bridge: String, PeerState)
        /// Which bridge has a device.
        case claim(Address)
        /// A bridge is about to connect to a device.
        case offer(bridge: String)
        /// What the fleet knows of a device, or of its groups.
        case roster(key: String)
        /// The families that a bridge knows.
        case families(bridge: String)
    }

    /// What bridges are asked about each other.
    package enum PeerState: String, Hashable, Sendable, CaseIterable { case availability, info }

    /// The first level of the claims on devices.
    static let claimRoot = "claim"
    /// What a bridge calls its offers.
    package static let offerName = "offer"
    /// What stands in place of a bridge's id in the topics of requests to every bridge.
    static let everyBridge = "all"
    /// What the topic of a command without a feature, `<device>/set`, has in the feature's place.
    package static let noFeature = "set"

    /// The root of what the fleet knows; no device and no group may stand under it, nor under that of claims.
    static let rosterRoot = "roster"
    /// The root of answers: the next level is the name of the user who gets them.
    static let replyRoot = "reply"
    /// What a bridge calls the list of the families that it knows.
    package static let familiesName = "families"

    package let bridge: String
    /// Empty, or the base topic with a slash at its end.
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
    /// A command that names no feature.
    package func bareCommand(_ device: String) -> String { report(device, Self.noFeature) }
    package func result(_ device: String) -> String { report(device, "result") }
    package func own(_ name: String) -> String { "\(prefix)bridge/\(bridge)/\(name)" }
    /// Where the bridge says what the devices of a family can say and do.
    package func features(of family: String) -> String { own("features/\(family)") }
    package func response(_ request: String) -> String { own("response/\(request)") }
    /// What other clients publish on this bridge's own topics.
    package var ownTopics: [String] { [own("+"), own("features/+")] }
    /// What other clients publish on a device's topics, with commands that name no feature.
    package func all(_ device: String) -> String { report(device, "+") }

    /// The bridge whose own topic it is; nil for any other topic.
    package func bridge(of topic: String) -> String? {
        guard topic.hasPrefix("\(prefix)bridge/") else { return nil }
        let levels = topic.dropFirst(prefix.count).split(separator: "/", omittingEmptySubsequences: false)
        return levels.count > 2 ? String(levels[1]) : nil
    }

    /// What all bridges say of themselves.
    package func peers(_ state: PeerState) -> String { "\(prefix)bridge/+/\(state.rawValue)" }
    /// Which bridge has a device.
    package func claim(_ address: Address) -> String { "\(prefix)\(Self.claimRoot)/\(address.digits)" }
    /// Which bridges have which devices.
    package var claims: String { "\(prefix)\(Self.claimRoot)/+" }
    /// Which bridges are about to connect to which devices.
    package var offers: String { "\(prefix)bridge/+/\(Self.offerName)" }
    /// What the fleet knows of a device, or of its groups.
    package func roster(_ key: String) -> String { "\(prefix)\(Self.rosterRoot)/\(key)" }
    /// Which families bridges know.
    package var families: String { "\(prefix)bridge/+/\(Self.familiesName)" }
    package var requests: String { own("request/+") }
    package var commonRequests: String { "\(prefix)bridge/\(Self.everyBridge)/request/+" }

    /// The device and the feature of a report's topic; nil for a topic that has only one level.
    package func reported(_ topic: String) -> (device: String, feature: String)? {
        guard topic.hasPrefix(prefix), let slash = topic.lastIndex(of: "/"),
            slash >= topic.index(topic.startIndex, offsetBy: prefix.count)
        else { return nil }
        return (String(topic[..<slash].dropFirst(prefix.count)), String(topic[topic.index(after: slash)...]))
    }

    /// Reads a topic; nil for one that this bridge did not ask for.
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
