import DeviceKit
package import JSON

/// What happened between this bridge and others since it was started.
package struct FleetCounters: Sendable {
    /// The devices that came from another bridge, by how its link ended.
    package private(set) var handOvers: [HandOverReason: Int] = [:]
    /// The offers to connect that were made to other bridges.
    package var offers = 0
    /// How often another bridge claimed a link that this one had.
    package var conflicts = 0
    /// How long nobody had the newest ones of those devices.
    private var times: [Duration] = []

    private static let capacity = 1000

    package init() {}

    /// Every count, by the reason's name.
    package var handOversByReason: [(reason: String, count: Int)] {
        HandOverReason.allCases.map { ($0.rawValue, handOvers[$0] ?? 0) }
    }

    /// A device came from another bridge.
    ///
    /// - Parameter time: For how long nobody had it; nil where that is not known.
    package mutating func handedOver(_ reason: HandOverReason, after time: Duration?) {
        handOvers[reason, default: 0] += 1
        if let time, times.count < Self.capacity { times.append(time) }
    }

    /// Gives how long nobody had the devices that came since that was asked last; of very many, the first ones.
    package mutating func takeTimes() -> [Duration] {
        defer { times = [] }
        return times
    }

    /// The counts as `stats` shows them.
    package var object: JSON.Object {
        [
            "hand_overs": .object(
                JSON.Object(handOversByReason.map { ($0.reason, JSON.Value.integer($0.count)) })),
            "offers": .integer(offers), "conflicts": .integer(conflicts),
        ]
    }
}

/// How the link of the bridge that had a device ended, as far as the next one knows.
package enum HandOverReason: String, Hashable, Sendable, CaseIterable {
    /// That bridge said so: it lost the link, was drained or has ended.
    case released
    /// That bridge has died.
    case died
    /// The device was heard on the air, though that bridge said that it had it.
    case advertised
    /// It is not known to have ended.
    case contested
}
