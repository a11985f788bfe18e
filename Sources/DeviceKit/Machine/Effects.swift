public import Bluetooth
public import JSON

/// Collects what a state machine wants done, in order.
public struct Effects: Sendable {
    /// The effects so far.
    public private(set) var list: [Effect] = []

    /// Makes an empty collection.
    public init() {}

    /// Adds any effect.
    public mutating func append(_ effect: Effect) { list.append(effect) }
    /// Empties the collection, keeping its memory.
    public mutating func removeAll() { list.removeAll(keepingCapacity: true) }

    /// Adds a write.
    public mutating func write(
        _ characteristic: CharacteristicID, _ value: [UInt8], _ kind: Write.Kind = .withResponse,
        priority: Write.Priority = .normal, token: WriteToken = 0
    ) {
        list.append(.write(Write(characteristic, value, kind, priority: priority, token: token)))
    }
    /// Adds a read.
    public mutating func read(_ characteristic: CharacteristicID) { list.append(.read(characteristic)) }
    /// Adds a subscription.
    public mutating func subscribe(_ characteristic: CharacteristicID) {
        list.append(.subscribe(characteristic))
    }
    /// Publishes a value.
    public mutating func publish(_ feature: String, _ value: JSON.Value) {
        list.append(.publish(feature: feature, value))
    }
    /// Answers a command.
    public mutating func answer(_ command: CommandID, _ answer: Answer) {
        list.append(.answer(command, answer))
    }
    /// Starts a timer, or moves it.
    public mutating func startTimer(_ name: TimerName, after delay: Duration) {
        list.append(.startTimer(name, after: delay))
    }
    /// Stops a timer.
    public mutating func cancelTimer(_ name: TimerName) { list.append(.cancelTimer(name)) }
    /// Counts one more of something.
    public mutating func count(_ name: String) { list.append(.count(name)) }
    /// Says something in the log.
    public mutating func remark(_ level: RemarkLevel, _ text: String) { list.append(.remark(level, text)) }
}
