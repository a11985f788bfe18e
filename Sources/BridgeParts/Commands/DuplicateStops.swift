/// Detects the second copy of a stop. A robot's stops are subscribed to at QoS 0 and at QoS 1, since messages of one
/// QoS may overtake those of the other. If a device has a name that another device had, stops to this name are
/// subscribed to for both devices. Each copy is obeyed, and one copy is answered.
package struct DuplicateStops: Sendable {
    /// The time in which an identical stop counts as a copy.
    package static let time = Duration.seconds(2)
    /// The maximum number of stops in a generation. When it is reached, a new generation starts, and the older
    /// generation is discarded.
    private static let capacity = 50_000

    /// When each stop was answered, by a hash of the members of the request that identify the stop.
    private var answered: [Int: Duration] = [:]
    /// The previous generation of ``answered``. With two generations, each stop is kept long enough, and old stops are
    /// discarded without a search.
    private var former: [Int: Duration] = [:]
    private var began = Duration.zero

    package init() {}

    /// Records a stop.
    ///
    /// - Returns: Whether an identical stop was answered shortly before.
    package mutating func isCopy(_ request: CommandRequest) -> Bool {
        var hasher = Hasher()
        hasher.combine(request.topic)
        hasher.combine(request.payload)
        hasher.combine(request.responseTopic)
        hasher.combine(request.correlation)
        let stop = hasher.finalize()
        if let moment = answered[stop] ?? former[stop], request.arrival - moment < Self.time { return true }
        if answered.count >= Self.capacity || request.arrival - began >= Self.time {
            (former, answered, began) = (answered, [:], request.arrival)
        }
        answered[stop] = request.arrival
        return false
    }
}
