import JSON

/// Which bridges have answered which stop; pure.
///
/// A page sends a stop with an id and repeats it until it is confirmed: all of its copies are one stop here.
package struct StopDesk {
    /// How long the answers to a stop are awaited before the page is told who is silent.
    package static let patience = Duration.milliseconds(1_200)
    /// How long a stop is known by its id.
    package static let memory = Duration.seconds(15)
    static let limit = 256

    /// What is known about a stop.
    package struct Outcome: Hashable, Sendable {
        package var id: String
        /// The bridges that have answered; empty names where the answer names none.
        package var answered: Set<String> = []
        /// The bridges that are online and have not answered.
        package var silent: Set<String> = []
        /// The devices whose protocol does not tell whether they obey.
        package var unconfirmed: Set<String> = []
        /// Why devices did not stop, by their names.
        package var failed: [String: String] = [:]

        /// Whether everyone has answered.
        package var isComplete: Bool { !answered.isEmpty && silent.isEmpty }
        /// Whether everyone has answered that it stopped.
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

    /// Notes that a stop is sent, for the first time or again.
    ///
    /// - Parameters:
    ///   - key: The sender and its id.
    ///   - bridges: Those who have to answer; empty where any answer will do.
    /// - Returns: The number by which answers belong to it; nil where too many are known.
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

    /// When a stop was sent first; nil if it is not known.
    package func sent(_ key: String) -> Duration? { stops[key]?.sent }

    /// What is known about a stop.
    package func outcome(_ key: String) -> Outcome? { stops[key]?.outcome }

    /// Takes in the answer of a bridge.
    ///
    /// - Returns: The stop that it belongs to.
    package mutating func answer(_ number: Int, _ payload: [UInt8]) -> String? {
        guard let (key, found) = stops.first(where: { $0.value.number == number }),
            let answer = try? JSON.Value(parsing: payload)
        else { return nil }
        var stop = found
        let isAll = stop.device == nil
        // Only one bridge has a device, and its answer does not name it.
        let bridge = answer["bridge"]?.string
        stop.outcome.answered.insert(bridge ?? "")
        if let bridge, isAll { stop.outcome.silent.remove(bridge) } else { stop.outcome.silent = [] }
        let members = answer["members"]?.array ?? []
        var names = Set<String>()
        for member in members.isEmpty ? [answer] : members {
            let name = member["device"]?.string ?? stop.device ?? bridge ?? ""
            names.insert(name)
            // What is away is made safe by whoever looks after it; a stop of everything is none for it.
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
