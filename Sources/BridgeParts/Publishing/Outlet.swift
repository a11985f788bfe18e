package import DeviceKit
package import JSON

/// The values that a session has published on its device's topics, and the format of each feature.
package struct Outlet: Sendable {
    /// The entry of one name: a report, a state that every device has, or the answers.
    package struct Line: Sendable {
        /// The kind of a declared report; nil for names that the family does not declare.
        package var report: Report.Kind?
        /// Whether a string is published without quotation marks.
        package var isPlain = false
        /// Whether values can reveal typed text.
        package var isPrivate = false
        /// The topic, composed once.
        package fileprivate(set) var topic: String?
        /// The newest value of a stream that is not private, with its time.
        package fileprivate(set) var newest: (value: JSON.Value, time: TimeStamp)?
        /// The sequence number of the last event.
        fileprivate var sequence = 0
    }

    /// The entries of the family's names and of those that every device has. The name is looked up once per message.
    package private(set) var lines: [Line] = []
    /// Shared by all sessions of a family.
    private var places: [String: Int] = [:]

    /// The last payload of each state, published or to be published once this bridge owns the topics. The broker
    /// connection shares these arrays instead of copying them.
    package var states: [String: [UInt8]] = [:]

    /// The states that this bridge has published.
    package var published: Set<String> = []

    /// The name of the answers to commands.
    package static let answers = "result"

    package init(_ features: [Feature]) {
        for state in Publisher.Common.allCases {
            lines[place(of: state.rawValue)].isPlain = state == .availability || state == .lastSeen
        }
        _ = place(of: Self.answers)
        for feature in features {
            guard let report = feature.report else { continue }
            let place = place(of: feature.name)
            lines[place].report = report.kind
            if case .plain = report.payload { lines[place].isPlain = true }
            lines[place].isPrivate = feature.isPrivate
        }
    }

    /// The index and the kind of a declared report; nil if the family does not declare it.
    package func declared(_ feature: String) -> (place: Int, kind: Report.Kind)? {
        guard let place = places[feature], let kind = lines[place].report else { return nil }
        return (place, kind)
    }

    /// The index of a name; a new name is added.
    package mutating func place(of name: String) -> Int {
        if let place = places[name] { return place }
        places[name] = lines.count
        lines.append(Line())
        return lines.count - 1
    }

    package var declaredStates: [String] { places.filter { lines[$0.value].report == .state }.map(\.key) }

    /// The payload of a value: plain text for a plain feature, otherwise JSON.
    package func payload(_ value: JSON.Value, at place: Int) -> [UInt8] {
        guard lines[place].isPlain, case .string(let text) = value else { return value.bytes }
        return Array(text.utf8)
    }

    /// The topic of an entry, composed once.
    package mutating func topic(at place: Int, make: () -> String) -> String {
        if let topic = lines[place].topic { return topic }
        let topic = make()
        lines[place].topic = topic
        return topic
    }

    /// The next sequence number, counted from 1 per topic.
    package mutating func nextSequence(at place: Int) -> Int {
        lines[place].sequence += 1
        return lines[place].sequence
    }

    /// Records the newest value of a stream.
    package mutating func note(_ value: JSON.Value, at place: Int, _ time: TimeStamp) {
        if !lines[place].isPrivate { lines[place].newest = (value, time) }
    }

    /// The newest value of a stream that is not private, with its time; nil if there is none.
    package func newest(_ feature: String) -> (value: JSON.Value, time: TimeStamp)? {
        places[feature].flatMap { lines[$0].newest }
    }

    /// Forgets the states of some features, because they are no longer valid.
    package mutating func forgetStates(where isOver: (String) -> Bool) {
        states = states.filter { !isOver($0.key) }
    }

    /// Forgets the topics published under the old name. The states are kept.
    package mutating func forgetTopics() {
        for place in lines.indices { (lines[place].topic, lines[place].sequence) = (nil, 0) }
        published = []
    }
}
