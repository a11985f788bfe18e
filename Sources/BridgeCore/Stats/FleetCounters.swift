import CoreMetrics
import DeviceKit
import JSON

/// What happened between this bridge and others since it was started.
package struct FleetCounters: Sendable {
    /// The devices that came from another bridge, by how its link ended.
    package private(set) var handOvers: [HandOverWatch.Reason: Int] = [:]
    /// The offers to connect that were made to other bridges.
    package var offers = 0
    /// How often another bridge claimed a link that this one had.
    package var conflicts = 0
    /// How long nobody had the newest ones of those devices.
    private var times: [Duration] = []

    private static let capacity = 1000

    /// Every count, by the reason's name.
    package var handOversByReason: [(reason: String, count: Int)] {
        HandOverWatch.Reason.allCases.map { ($0.rawValue, handOvers[$0] ?? 0) }
    }

    /// A device came from another bridge.
    ///
    /// - Parameter time: For how long nobody had it; nil where that is not known.
    mutating func handedOver(_ reason: HandOverWatch.Reason, after time: Duration?) {
        handOvers[reason, default: 0] += 1
        guard let time else { return }
        Timer(
            label: "tactile_bridge_fleet_hand_over_seconds", dimensions: [("reason", reason.rawValue)]
        )
        .recordNanoseconds(time.nanoseconds)
        if times.count < Self.capacity { times.append(time) }
    }

    /// Gives how long nobody had the devices that came since that was asked last; of very many, the first ones.
    mutating func takeTimes() -> [Duration] {
        defer { times = [] }
        return times
    }

    /// The counts as `stats` shows them.
    var object: JSON.Object {
        [
            "hand_overs": .object(
                JSON.Object(handOversByReason.map { ($0.reason, JSON.Value.integer($0.count)) })),
            "offers": .integer(offers), "conflicts": .integer(conflicts),
        ]
    }
}
