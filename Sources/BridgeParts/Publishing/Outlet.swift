package import DeviceKit
package import JSON

/// What a session has said on its device's topics, and how each feature is written.
package struct Outlet: Sendable {
    /// What is said under one name: that of a report, of a state that every device has, or of the answers.
    package struct Line: Sendable {
        /// The kind of a declared report; nil for what the family does not declare.
        package var report: Report.Kind?
        /// Whether a text stands there without quotation marks.
        package var isPlain = false
        /// Whether what is said can tell what a person types.
        package var isPrivate = false
        /// The topic, put together once.
        package fileprivate(set) var topic: String?
        /// The newest value of a stream that is not private, and its time.
        package fileprivate(set) var newest: (value: JSON.Value, time: TimeStamp)?
        /// The number of the last event.
        fileprivate var sequence = 0
    }

    /// The lines that a family declares and those that every device has: found once for each message, by their name.
    package private(set) var lines: [Line] = []
    /// The same for all sessions of a family.
    private var places: [String: Int] = [:]

    /// The payloads of the states as they were said last, or will be said once this bridge speaks for the device;
    /// the broker's side keeps the same ones, not copies.
    package var states: [String: [UInt8]] = [:]

    /// The states that the broker has from this bridge.
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

    /// Where the line of a report is, and its kind; nil for one that the family does not declare.
    package func declared(_ feature: String) -> (place: Int, kind: Report.Kind)? {
        guard let place = places[feature], let kind = lines[place].report else { return nil }
        return (place, kind)
    }

    /// Where the line of a name is.
    package mutating func place(of name: String) -> Int {
        if let place = places[name] { return place }
        places[name] = lines.count
        lines.append(Line())
        return lines.count - 1
    }

    /// The states that the family declares.
    package var declaredStates: [String] { places.filter { lines[$0.value].report == .state }.map(\.key) }

    /// The payload of a value: plain text for a feature with one value, else JSON.
    package func payload(_ value: JSON.Value, at place: Int) -> [UInt8] {
        guard lines[place].isPlain, case .string(let text) = value else { return value.bytes }
        return Array(text.utf8)
    }

    /// The topic of a line, put together once.
    package mutating func topic(at place: Int, make: () -> String) -> String {
        if let topic = lines[place].topic { return topic }
        let topic = make()
        lines[place].topic = topic
        return topic
    }

    /// The next number of an event, counting from 1 for each topic.
    package mutating func nextSequence(at place: Int) -> Int {
        lines[place].sequence += 1
        return lines[place].sequence
    }

    /// Notes the newest value of a stream.
    package mutating func note(_ value: JSON.Value, at place: Int, _ time: TimeStamp) {
        if !lines[place].isPrivate { lines[place].newest = (value, time) }
    }

    /// The newest value of a stream that is not private, and its time; nil where none came yet.
    package func newest(_ feature: String) -> (value: JSON.Value, time: TimeStamp)? {
        places[feature].flatMap { lines[$0].newest }
    }

    /// Forgets the states of some features: what they said holds no more.
    package mutating func forgetStates(where isOver: (String) -> Bool) {
        states = states.filter { !isOver($0.key) }
    }

    /// Forgets what was said under the device's old name; what holds is kept.
    package mutating func forgetTopics() {
        for place in lines.indices { (lines[place].topic, lines[place].sequence) = (nil, 0) }
        published = []
    }
}
