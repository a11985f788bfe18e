/// The received events by topic. Their numbers must be consecutive, except for events counted as dropped.
struct EventLedger {
    private var last: [String: (number: Int, payloads: [Int: String])] = [:]
    /// The number of different events.
    private(set) var arrived = 0
    /// The number of repeated events, which occur when the broker ends before it acknowledges them.
    private(set) var repeats = 0
    /// The number of missing numbers.
    private(set) var missing = 0
    private(set) var faults: [String] = []
    private static let memory = 1000

    /// Records an event; returns false for a repeated one.
    ///
    /// - Parameter mayRestart: Whether the numbering may restart, as for a device that joined again.
    mutating func note(_ topic: String, number: Int, payload: String, mayRestart: Bool) -> Bool {
        var (newest, payloads) = last[topic] ?? (0, [:])
        if payloads[number] == payload {
            repeats += 1
            return false
        }
        arrived += 1
        if number == 1, newest > 0, mayRestart {
            payloads = [:]
        } else if number <= newest {
            faults.append("\(topic): \(number) after \(newest): \(payload)")
        } else {
            if number > newest + 1 { faults.append("\(topic): \(number) after \(newest), some are missing") }
            missing += number - newest - 1
        }
        newest = number
        payloads[number] = payload
        payloads[number - Self.memory] = nil
        last[topic] = (newest, payloads)
        return true
    }
}
