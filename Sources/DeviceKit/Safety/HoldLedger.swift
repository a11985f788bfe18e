/// Tracks the presses of a joystick that a stop has ended. Commands of such a press never move the device again,
/// however long the sender pauses.
struct HoldLedger: Hashable, Sendable {
    /// The maximum number of tracked presses.
    static let capacity = 256
    /// A stop ends the presses whose last command arrived at most this long before the stop.
    static let memory = Duration.seconds(60)

    private struct Press: Hashable, Sendable {
        var hold: Int
        var arrival: Duration
    }

    /// The presses whose commands arrived within ``memory``, each with the arrival of its last command; newest last.
    private var heard: [Press] = []
    /// The presses that a stop has ended, newest last.
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
