/// Says when refused subscriptions are tried again: each after 1 to 2 s, then after twice that, up to 30 s,
/// jittered.
struct SubscriptionRetries {
    private struct Refusal {
        var reason: Reason
        var tries = 0
        /// When it is tried again; nil while the answer is awaited.
        var due: Duration?
        /// Whether the client's user was told of it on this connection.
        var isTold = false
    }

    private var refusals: [String: Refusal] = [:]

    /// The filters that the broker refuses, and why.
    var reasons: [String: Reason] { refusals.mapValues(\.reason) }

    var nextDue: Duration? { refusals.values.compactMap(\.due).min() }

    /// Notes a refusal.
    ///
    /// - Parameter random: From 0 up to but not including 1.
    /// - Returns: Whether it is new since the filter was granted last, and whether it is since the connection
    ///   was made.
    mutating func refused(_ filter: String, _ reason: Reason, at now: Duration, random: Double)
        -> (isNew: Bool, isNewHere: Bool)
    {
        let old = refusals[filter]
        let tries = old?.tries ?? 0
        let ceiling = Double(min(30, 2 << min(tries, 4)))
        refusals[filter] = Refusal(
            reason: reason, tries: tries + 1, due: now + .seconds(ceiling / 2 + ceiling / 2 * random),
            isTold: true)
        return (old == nil, !(old?.isTold ?? false))
    }

    /// Notes that the broker granted a subscription; true if it had refused it.
    mutating func granted(_ filter: String) -> Bool { refusals.removeValue(forKey: filter) != nil }

    /// Forgets a filter that no subscriber wants any more.
    mutating func forget(_ filter: String) { refusals[filter] = nil }

    /// Gives the filters that are due, all of them if time does not matter.
    mutating func take(dueAt now: Duration?) -> [String] {
        let due = refusals.filter { entry in
            entry.value.due.map { due in now.map { due <= $0 } ?? true } ?? false
        }
        for filter in due.keys { refusals[filter]?.due = nil }
        return due.keys.sorted()
    }

    /// Notes the end of the connection: the next one begins with all subscriptions.
    mutating func disconnected() {
        for filter in refusals.keys {
            refusals[filter]?.due = nil
            refusals[filter]?.isTold = false
            refusals[filter]?.tries = 0
        }
    }
}
