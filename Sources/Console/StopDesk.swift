import JSON

/// Tracks which bridges have answered which stop. A state machine without side effects.
///
/// A page sends a stop with an id and repeats it until the stop is confirmed. All copies count as one stop.
package struct StopDesk {
    /// The time to wait for answers before the page receives the list of bridges that have not answered.
    package static let patience = Duration.milliseconds(1_200)
    /// The time for which a stop is remembered by its id.
    package static let memory = Duration.seconds(15)
    static let limit = 256

    /// What is known so far about the answers to a stop.
    package struct Outcome: Hashable, Sendable {
        package var id: String
        /// The bridges that have answered; an empty name for an answer without a name.
        package var answered: Set<String> = []
        /// The online bridges that have not answered.
        package var silent: Set<String> = []
        package var unconfirmed: Set<String> = []
        /// The reasons why devices did not stop, by the devices' names.
        package var failed: [String: String] = [:]

        package var isComplete: Bool { !answered.isEmpty && silent.isEmpty }
        /// Whether all bridges have answered that their devices stopped.
        package var isConfirmed: Bool { isComplete && failed.isEmpty }
    }

    private struct Stop {
        let device: String?
        let number: Int
        let sent: Duration
        var outcome: Outcome
    }

    private var stops: [String: Stop] = [:]
    private var last = 0

    package init() {}

    /// Records that a stop is sent, for the first time or again.
    ///
    /// - Parameters:
    ///   - key: The key of the stop: its sender, and the id that the sender gave to it.
    ///   - bridges: The bridges that must answer; empty if any answer is sufficient.
    /// - Returns: The number for matching answers; nil if there are too many stops.
    package mutating func send(
        _ key: String, id: String, device: String?, bridges: Set<String>, at now: Duration
    ) -> Int? {
        stops = stops.filter { now - $0.value.sent < Self.memory }
        if var stop = stops[key] {
            stop.outcome.silent = bridges.subtracting(stop.outcome.answered)
            stops[key] = stop
            return stop.number
        }
        guard stops.count < Self.limit else { return nil }
        last += 1
        stops[key] = Stop(
            device: device, number: last, sent: now, outcome: Outcome(id: id, silent: bridges))
        return last
    }

    /// Returns the time at which a stop was first sent; nil if the stop is unknown.
    package func sent(_ key: String) -> Duration? { stops[key]?.sent }

    package func outcome(_ key: String) -> Outcome? { stops[key]?.outcome }

    /// Processes the answer of a bridge.
    ///
    /// - Returns: The key of the stop.
    package mutating func answer(_ number: Int, _ payload: [UInt8]) -> String? {
        guard let (key, found) = stops.first(where: { $0.value.number == number }),
            let answer = try? JSON.Value(parsing: payload)
        else { return nil }
        var stop = found
        let isAll = stop.device == nil
        // An answer to the stop of a single device does not contain the bridge's name, because only one bridge has the
        // device.
        let bridge = answer["bridge"]?.string
        stop.outcome.answered.insert(bridge ?? "")
        if let bridge, isAll { stop.outcome.silent.remove(bridge) } else { stop.outcome.silent = [] }
        let members = answer["members"]?.array ?? []
        var names = Set<String>()
        for member in members.isEmpty ? [answer] : members {
            let name = member["device"]?.string ?? stop.device ?? bridge ?? ""
            names.insert(name)
            // An offline device is no failure of a stop of all devices, because its bridge makes the device safe.
            let isAway = isAll && member["code"]?.string == "device_offline"
            stop.outcome.failed[name] =
                member["status"] == "ok" || isAway
                ? nil : member["message"]?.string ?? member["code"]?.string ?? "failed"
            if member["confirmed"] == false { stop.outcome.unconfirmed.insert(name) }
        }
        stops[key] = stop
        return key
    }
}
