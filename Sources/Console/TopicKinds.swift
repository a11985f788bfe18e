import BridgeContract
package import DeviceKit

/// Determines the kind of a message (state, event or stream) by the last level of its topic.
package struct TopicKinds: Sendable {
    private var kinds: [String: Report.Kind] = [:]

    /// Collects the kinds of all features. If families use different kinds for features of the same name, the kind is
    /// `event`, so that no message is lost.
    package init(_ families: [any DeviceFamily]) {
        let features =
            BridgeFeatures.reports + DeviceFeatures.all + [GroupFeatures.result]
            + families.flatMap(\.features)
        for feature in features {
            guard let kind = feature.report?.kind else { continue }
            kinds[feature.name] = kinds[feature.name] == nil || kinds[feature.name] == kind ? kind : .event
        }
    }

    /// - Parameter isRetained: Whether the message was published as retained.
    package func kind(_ topic: String, isRetained: Bool) -> Report.Kind {
        if isRetained { return .state }
        let name = topic.lastIndex(of: "/").map { topic[topic.index(after: $0)...] } ?? topic[...]
        return kinds[String(name)] ?? .event
    }
}
