/// The events that arrived, by topic: numbered without a gap, but for what is counted as dropped.
struct EventLedger {
    private var last: [String: (number: Int, payloads: [Int: String])] = [:]
    /// How many different events arrived.
    private(set) var arrived = 0
    /// How many came once more, as they may when the broker ends before it has acknowledged them.
    private(set) var repeats = 0
    /// How many numbers are missing.
    private(set) var missing = 0
    private(set) var faults: [String] = []
    private static let memory = 1000

    /// Notes an event; false if it is one that came before.
    ///
    /// - Parameter mayRestart: Whether the count may begin anew, as it does for a device that came back.
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
