import DeviceKit
package import JSON

/// Counters of interactions between this bridge and other bridges, since the start of this bridge.
package struct FleetCounters: Sendable {
    /// The number of devices that moved to this bridge from another bridge, by how the previous link ended.
    package private(set) var handOvers: [HandOverReason: Int] = [:]
    /// The number of offers to connect that this bridge published.
    package var offers = 0
    /// How often another bridge claimed a device that this bridge was connected to.
    package var conflicts = 0
    /// How long each device that moved to this bridge was without a bridge, since the previous call of ``takeTimes()``.
    private var times: [Duration] = []

    private static let capacity = 1000

    package init() {}

    /// How many devices moved to this bridge, for each reason, with the reason's name in the metrics.
    package var handOversByReason: [(reason: String, count: Int)] {
        HandOverReason.allCases.map { ($0.rawValue, handOvers[$0] ?? 0) }
    }

    /// Counts a device that moved to this bridge from another bridge.
    ///
    /// - Parameter time: How long the device was without a bridge; nil if that is unknown.
    package mutating func handedOver(_ reason: HandOverReason, after time: Duration?) {
        handOvers[reason, default: 0] += 1
        if let time, times.count < Self.capacity { times.append(time) }
    }

    /// Returns how long the devices that moved to this bridge since the previous call were without a bridge. Only the
    /// first 1,000 times are kept.
    package mutating func takeTimes() -> [Duration] {
        defer { times = [] }
        return times
    }

    /// The counters as the JSON object of the topic `stats`.
    package var object: JSON.Object {
        [
            "hand_overs": .object(
                JSON.Object(handOversByReason.map { ($0.reason, JSON.Value.integer($0.count)) })),
            "offers": .integer(offers), "conflicts": .integer(conflicts),
        ]
    }
}

/// How the link of the previous bridge ended when a device moved, as far as the next bridge knows.
package enum HandOverReason: String, Hashable, Sendable, CaseIterable {
    /// The previous bridge reported the end of the link: it lost the link, was drained or exited.
    case released
    /// The previous bridge went offline without a report.
    case died
    /// The device advertised although the previous bridge claimed it.
    case advertised
    /// The previous bridge still claimed the device, and nothing shows that its link has ended.
    case contested
}
