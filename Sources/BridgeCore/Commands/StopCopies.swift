/// Knows the second copy of a stop: a robot's stops are subscribed at both qualities of service, since messages of one
/// may overtake those of the other; and a name that one device has and another one had is subscribed for both. Each copy
/// is obeyed, one is answered.
struct StopCopies: Sendable {
    private struct Copy: Hashable, Sendable {
        var topic: String
        var payload: [UInt8]
        var responseTopic: String?
        var correlation: [UInt8]?
    }

    /// How long after a stop another one alike counts as its copy.
    static let time = Duration.seconds(2)
    /// How many different stops are remembered.
    private static let capacity = 64

    private var answered: [Copy: Duration] = [:]

    /// Takes note of a stop.
    ///
    /// - Returns: Whether one alike was answered shortly before.
    mutating func isCopy(_ request: CommandRequest) -> Bool {
        let copy = Copy(
            topic: request.topic, payload: request.payload, responseTopic: request.responseTopic,
            correlation: request.correlation)
        if let moment = answered[copy], request.arrival - moment < Self.time { return true }
        answered = answered.filter { request.arrival - $0.value < Self.time }
        if answered.count < Self.capacity { answered[copy] = request.arrival }
        return false
    }
}
