/// Knows the second copy of a stop: a robot's stops are subscribed at both qualities of service, since messages of one
/// may overtake those of the other; and a name that one device has and another one had is subscribed for both. Each copy
/// is obeyed, one is answered.
package struct StopCopies: Sendable {
    /// How long after a stop another one alike counts as its copy.
    package static let time = Duration.seconds(2)
    /// After how many different stops those before the last as many are forgotten.
    private static let capacity = 50_000

    /// When a stop was answered, by the hash of what makes it the same.
    private var answered: [Int: Duration] = [:]
    /// Those before them: so each is known for long enough, and none has to be looked for to be forgotten.
    private var former: [Int: Duration] = [:]
    private var began = Duration.zero

    package init() {}

    /// Takes note of a stop.
    ///
    /// - Returns: Whether one alike was answered shortly before.
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
