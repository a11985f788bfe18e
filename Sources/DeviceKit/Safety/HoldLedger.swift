/// Remembers the presses of a joystick that a stop has ended: what belongs to one of them moves nothing any more,
/// however long it pauses.
struct HoldLedger: Hashable, Sendable {
    /// How many presses are remembered.
    static let capacity = 256
    /// How long before a stop a press must have been heard to be ended by it.
    static let memory = Duration.seconds(60)

    private struct Press: Hashable, Sendable {
        var hold: Int
        var arrival: Duration
    }

    /// The presses that were heard, the newest last.
    private var heard: [Press] = []
    /// Those that a stop has ended, the newest last.
    private var ended: [Int] = []

    func isEnded(_ hold: Int) -> Bool { ended.contains(hold) }

    mutating func note(_ hold: Int, at arrival: Duration, isStopped: Bool) {
        heard.removeAll { $0.hold == hold || arrival - $0.arrival > Self.memory }
        heard.append(Press(hold: hold, arrival: arrival))
        if heard.count > Self.capacity { heard.removeFirst() }
        if isStopped { end(hold) }
    }

    mutating func stop(at now: Duration) {
        for press in heard where now - press.arrival <= Self.memory { end(press.hold) }
    }

    private mutating func end(_ hold: Int) {
        guard !ended.contains(hold) else { return }
        ended.append(hold)
        if ended.count > Self.capacity { ended.removeFirst() }
    }
}
