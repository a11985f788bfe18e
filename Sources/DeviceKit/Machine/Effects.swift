public import Bluetooth
public import JSON

/// Collects the effects of a state machine, in order.
public struct Effects: Sendable {
    /// The effects collected so far.
    public private(set) var list: [Effect] = []

    /// Creates an empty collection.
    public init() {}

    /// Adds an effect at the end of the collection.
    public mutating func append(_ effect: Effect) {
        // Most inputs cause only a few effects. Reserving capacity avoids repeated growth.
        if list.capacity == 0 { list.reserveCapacity(4) }
        list.append(effect)
    }
    /// Empties the collection, keeping its memory.
    public mutating func removeAll() { list.removeAll(keepingCapacity: true) }

    /// Adds a write.
    public mutating func write(
        _ characteristic: CharacteristicID, _ value: [UInt8], _ kind: Write.Kind = .withResponse,
        priority: Write.Priority = .normal, token: WriteToken = 0
    ) {
        append(.write(Write(characteristic, value, kind, priority: priority, token: token)))
    }
    /// Adds a read.
    public mutating func read(_ characteristic: CharacteristicID) { append(.read(characteristic)) }
    /// Adds a subscription.
    public mutating func subscribe(_ characteristic: CharacteristicID) {
        append(.subscribe(characteristic))
    }
    /// Publishes a value.
    public mutating func publish(_ feature: String, _ value: JSON.Value) {
        append(.publish(feature: feature, value))
    }
    /// Answers a command.
    public mutating func answer(_ command: CommandID, _ answer: Answer) {
        append(.answer(command, answer))
    }
    /// Starts a timer. If the timer is running, it restarts with the new time.
    public mutating func startTimer(_ name: TimerName, after delay: Duration) {
        append(.startTimer(name, after: delay))
    }
    /// Stops a timer.
    public mutating func cancelTimer(_ name: TimerName) { append(.cancelTimer(name)) }
    /// Increments a counter.
    public mutating func count(_ name: String) { append(.count(name)) }
    /// Writes a log line.
    public mutating func remark(_ level: RemarkLevel, _ text: String) { append(.remark(level, text)) }
}
