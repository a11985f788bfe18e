/// Knows the second copy of a stop: a robot's stops are subscribed at both qualities of service, since messages of one
/// may overtake those of the other; and a name that one device has and another one had is subscribed for both. Each copy
/// is obeyed, one is answered.
struct StopCopies: Sendable {
    /// How long after a stop another one alike counts as its copy.
    static let time = Duration.seconds(2)
    /// How many different stops are remembered.
    private static let capacity = 20_000

    /// When a stop was answered, by the hash of what makes it the same.
    private var answered: [Int: Duration] = [:]
    private var purged = Duration.zero

    /// Takes note of a stop.
    ///
    /// - Returns: Whether one alike was answered shortly before.
    mutating func isCopy(_ request: CommandRequest) -> Bool {
        var hasher = Hasher()
        hasher.combine(request.topic)
        hasher.combine(request.payload)
        hasher.combine(request.responseTopic)
        hasher.combine(request.correlation)
        let stop = hasher.finalize()
        if let moment = answered[stop], request.arrival - moment < Self.time { return true }
        // Once in a while: to look through all at each stop would cost their number squared.
        if request.arrival - purged >= Self.time {
            answered = answered.filter { request.arrival - $0.value < Self.time }
            purged = request.arrival
        }
        if answered.count < Self.capacity { answered[stop] = request.arrival }
        return false
    }
}
