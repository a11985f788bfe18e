import Bluetooth

/// The working state of a virtual device while it handles one stimulus (an event): the time, and the reactions so far.
struct DeviceTurn<Timer: RawRepresentable> where Timer.RawValue == String {
    let now: Duration
    var reactions: [Reaction] = []

    mutating func notify(_ id: CharacteristicID, _ bytes: [UInt8]) {
        reactions.append(.notify(id, bytes))
    }

    mutating func report(_ event: String, _ details: [String: String]) {
        reactions.append(.report(.other(event: event, details)))
    }

    mutating func start(_ timer: Timer, after delay: Duration) {
        reactions.append(.startTimer(timer.rawValue, after: delay))
    }

    mutating func cancel(_ timer: Timer) { reactions.append(.cancelTimer(timer.rawValue)) }
}
