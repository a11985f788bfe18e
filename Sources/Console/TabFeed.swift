import DeviceKit

/// The messages that wait to be sent to a page: the newest state or stream value of each topic, and a limited number of
/// events.
package struct TabFeed {
    /// The maximum number of waiting events; above it, the oldest event is dropped.
    package static let eventLimit = 1_000
    /// The maximum size of waiting events in bytes; above it, the oldest event is dropped.
    static let eventBytes = 1 << 20
    /// The size of a batch in bytes; the last message may exceed it.
    static let batchBytes = 256 << 10
    /// The maximum number of topics with a waiting value.
    static let topicLimit = 20_000
    /// The minimum interval between batches.
    package static let interval = Duration.milliseconds(50)

    private var values: [Delivery] = []
    private var places: [String: Int] = [:]
    private var events = ArraySlice<Delivery>()
    private var waitingEventBytes = 0
    private var dropped = 0
    private var lastBatch: Duration?

    package init() {}

    package var isEmpty: Bool { values.isEmpty && events.isEmpty && dropped == 0 }

    /// Returns the time at which the next batch may be sent; nil if it may be sent immediately.
    package func due(at now: Duration) -> Duration? {
        guard let lastBatch, now - lastBatch < Self.interval else { return nil }
        return lastBatch + Self.interval
    }

    /// Delays the next batch by one interval.
    package mutating func wait(at now: Duration) { lastBatch = now }

    package mutating func add(_ delivery: Delivery) {
        guard delivery.kind != .event else {
            events.append(delivery)
            waitingEventBytes += delivery.payload.count
            while events.count > Self.eventLimit || waitingEventBytes > Self.eventBytes,
                let oldest = events.popFirst()
            {
                waitingEventBytes -= oldest.payload.count
                dropped += 1
            }
            return
        }
        if let place = places[delivery.topic] {
            values[place] = delivery
        } else if values.count < Self.topicLimit {
            places[delivery.topic] = values.count
            values.append(delivery)
        } else {
            dropped += 1
        }
    }

    /// Removes messages whose topics do not satisfy the condition.
    package mutating func keep(_ isWanted: (String) -> Bool) {
        values.removeAll { !isWanted($0.topic) }
        places = [:]
        for (place, value) in values.enumerated() { places[value.topic] = place }
        events = ArraySlice(events.filter { isWanted($0.topic) })
        waitingEventBytes = events.reduce(0) { $0 + $1.payload.count }
    }

    /// Removes and returns the next batch as JSON for pages: states and streams, then events; nil if nothing waits.
    /// Messages beyond the size limit stay for the next batch.
    package mutating func batch(at now: Duration) -> [UInt8]? {
        guard !isEmpty else { return nil }
        lastBatch = now
        var text = Array(#"{"type":"batch","messages":["#.utf8)
        let begin = text.count
        func add(_ delivery: Delivery) -> Bool {
            if text.count > begin { text.append(UInt8(ascii: ",")) }
            text += delivery.text
            return text.count < Self.batchBytes
        }
        var taken = 0
        while taken < values.count {
            taken += 1
            if !add(values[taken - 1]) { break }
        }
        if taken == values.count {
            values.removeAll(keepingCapacity: true)
            places.removeAll(keepingCapacity: true)
            while text.count < Self.batchBytes, let event = events.popFirst() {
                waitingEventBytes -= event.payload.count
                if !add(event) { break }
            }
        } else {
            values.removeFirst(taken)
            places = [:]
            for (place, value) in values.enumerated() { places[value.topic] = place }
        }
        text += #"],"dropped":\#(dropped)}"#.utf8
        dropped = 0
        return text
    }
}
