/// The newest state of each topic that is subscribed: what a page gets at once that begins to watch it.
package struct StateMemory {
    /// How many topics are kept, and how many bytes in all.
    static let limits = (topics: 20_000, bytes: 32 << 20)

    private var states: [String: Delivery] = [:]
    private var bytes = 0

    package init() {}

    /// Takes a state in; one without a payload is gone.
    package mutating func note(_ state: Delivery) {
        if let old = states.removeValue(forKey: state.topic) {
            bytes -= old.payload.count + old.topic.utf8.count
        }
        let size = state.payload.count + state.topic.utf8.count
        guard !state.payload.isEmpty, states.count < Self.limits.topics, bytes + size <= Self.limits.bytes
        else {
            return
        }
        states[state.topic] = state
        bytes += size
    }

    /// Keeps those topics alone.
    package mutating func keep(_ isWanted: (String) -> Bool) {
        for (topic, state) in states where !isWanted(topic) {
            states[topic] = nil
            bytes -= state.payload.count + topic.utf8.count
        }
    }

    /// The states of the topics that are wanted, by topic.
    package func states(_ isWanted: (String) -> Bool) -> [Delivery] {
        states.values.filter { isWanted($0.topic) }.sorted { $0.topic < $1.topic }
    }

    /// The state of a topic.
    package subscript(topic topic: String) -> Delivery? { states[topic] }
}
