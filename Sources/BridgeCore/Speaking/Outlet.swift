import DeviceKit
import JSON

/// What a session has said on its device's topics, and how each feature is written.
struct Outlet: Sendable {
    /// The kind of each declared report.
    let reports: [String: Report.Kind]
    /// The payloads of the states as they were said last, or will be said once this bridge speaks for the device;
    /// the broker's side keeps the same ones, not copies.
    var states: [String: [UInt8]] = [:]

    /// The states that the broker has from this bridge.
    var published: Set<String> = []

    private let plain: Set<String>
    private let hidden: Set<String>
    private var topics: [String: String] = [:]
    private var sequences: [String: Int] = [:]

    init(_ features: [Feature]) {
        var reports: [String: Report.Kind] = [:]
        var plain: Set<String> = ["availability", "last_seen"]
        for feature in features {
            guard let report = feature.report else { continue }
            reports[feature.name] = report.kind
            if case .plain = report.payload { plain.insert(feature.name) }
        }
        self.reports = reports
        self.plain = plain
        hidden = Set(features.filter(\.isPrivate).map(\.name))
    }

    /// Whether what is said can tell what a person types.
    func isPrivate(_ feature: String) -> Bool { !hidden.isEmpty && hidden.contains(feature) }

    /// The payload of a value: plain text for a feature with one value, else JSON.
    func payload(_ value: JSON.Value, _ feature: String) -> [UInt8] {
        guard plain.contains(feature), case .string(let text) = value else { return value.bytes }
        return Array(text.utf8)
    }

    /// The topic of a feature, put together once.
    mutating func topic(_ feature: String, make: (String) -> String) -> String {
        if let topic = topics[feature] { return topic }
        let topic = make(feature)
        topics[feature] = topic
        return topic
    }

    /// The next number of an event, counting from 1 for each topic.
    mutating func nextSequence(_ feature: String) -> Int {
        sequences[feature, default: 0] += 1
        return sequences[feature, default: 0]
    }

    /// Forgets the states of some features: what they said holds no more.
    mutating func forgetStates(where isOver: (String) -> Bool) {
        states = states.filter { !isOver($0.key) }
    }

    /// Forgets what was said under the device's old name; what holds is kept.
    mutating func forgetTopics() {
        topics = [:]
        sequences = [:]
        published = []
    }
}
