/// The newest state of each subscribed topic. A page that starts to watch a topic receives the state immediately.
package struct StateMemory {
    /// The maximum number of topics, and their total size in bytes.
    static let limits = (topics: 20_000, bytes: 32 << 20)

    private var states: [String: Delivery] = [:]
    private var bytes = 0

    package init() {}

    /// Stores a state; an empty payload removes it.
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

    /// Removes all topics that do not satisfy the condition.
    package mutating func keep(_ isWanted: (String) -> Bool) {
        for (topic, state) in states where !isWanted(topic) {
            states[topic] = nil
            bytes -= state.payload.count + topic.utf8.count
        }
    }

    /// Returns the states of the topics that satisfy the condition, by topic.
    package func states(_ isWanted: (String) -> Bool) -> [Delivery] {
        states.values.filter { isWanted($0.topic) }.sorted { $0.topic < $1.topic }
    }

    package subscript(topic topic: String) -> Delivery? { states[topic] }
}
