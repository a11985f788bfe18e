package import DeviceKit
package import JSON

/// The values that a session has published on its device's topics, and the format of each feature.
package struct Outlet: Sendable {
    /// The data of one name below the device's topic: a declared report, a state that every device has, or the answers.
    package struct TopicEntry: Sendable {
        /// The kind of a declared report; nil for names that the family does not declare.
        package var report: Report.Kind?
        /// Whether a string is published without quotation marks.
        package var isPlain = false
        /// Whether values can reveal typed text.
        package var isPrivate = false
        /// The topic, composed when it is used first.
        package fileprivate(set) var topic: String?
        /// The newest value of a stream that is not private, with its time.
        package fileprivate(set) var newest: (value: JSON.Value, time: TimeStamp)?
        /// The sequence number of the last event.
        fileprivate var sequence = 0
    }

    /// One entry for each declared name and for each name that every device has. A session looks a name up once per
    /// message and then uses the index.
    package private(set) var entries: [TopicEntry] = []
    /// The index of each name in ``entries``. All sessions of a family share this storage.
    private var indices: [String: Int] = [:]

    /// The last payload of each state, published or to be published once this bridge owns the topics. The broker
    /// connection shares these arrays instead of copying them.
    package var states: [String: [UInt8]] = [:]

    /// The states that this bridge has published.
    package var published: Set<String> = []

    /// The name of the topic on which the answers to commands are published.
    package static let answers = "result"

    package init(_ features: [Feature]) {
        for state in Publisher.Common.allCases {
            entries[index(of: state.rawValue)].isPlain = state == .availability || state == .lastSeen
        }
        _ = index(of: Self.answers)
        for feature in features {
            guard let report = feature.report else { continue }
            let index = index(of: feature.name)
            entries[index].report = report.kind
            if case .plain = report.payload { entries[index].isPlain = true }
            entries[index].isPrivate = feature.isPrivate
        }
    }

    /// The index and the kind of a declared report; nil if the family does not declare it.
    package func declared(_ feature: String) -> (index: Int, kind: Report.Kind)? {
        guard let index = indices[feature], let kind = entries[index].report else { return nil }
        return (index, kind)
    }

    /// Returns the index of a name in ``entries``. A name without an entry gets one.
    package mutating func index(of name: String) -> Int {
        if let index = indices[name] { return index }
        indices[name] = entries.count
        entries.append(TopicEntry())
        return entries.count - 1
    }

    package var declaredStates: [String] { indices.filter { entries[$0.value].report == .state }.map(\.key) }

    /// The payload of a value: plain text for a plain feature, otherwise JSON.
    package func payload(_ value: JSON.Value, at index: Int) -> [UInt8] {
        guard entries[index].isPlain, case .string(let text) = value else { return value.bytes }
        return Array(text.utf8)
    }

    /// Returns the topic of an entry. It is composed by the first call.
    package mutating func topic(at index: Int, make: () -> String) -> String {
        if let topic = entries[index].topic { return topic }
        let topic = make()
        entries[index].topic = topic
        return topic
    }

    /// The next sequence number, counted from 1 per topic.
    package mutating func nextSequence(at index: Int) -> Int {
        entries[index].sequence += 1
        return entries[index].sequence
    }

    /// Records the newest value of a stream.
    package mutating func note(_ value: JSON.Value, at index: Int, _ time: TimeStamp) {
        if !entries[index].isPrivate { entries[index].newest = (value, time) }
    }

    /// The newest value of a stream that is not private, with its time; nil if there is none.
    package func newest(_ feature: String) -> (value: JSON.Value, time: TimeStamp)? {
        indices[feature].flatMap { entries[$0].newest }
    }

    /// Forgets the states of some features, because they are no longer valid.
    package mutating func forgetStates(where isOver: (String) -> Bool) {
        states = states.filter { !isOver($0.key) }
    }

    /// Forgets the topics that contain the device's old name, and which of them were published. The values of the
    /// states are kept.
    package mutating func forgetTopics() {
        for index in entries.indices { (entries[index].topic, entries[index].sequence) = (nil, 0) }
        published = []
    }
}
