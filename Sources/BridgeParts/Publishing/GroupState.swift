package import JSON

/// The state of a group on one bridge: the sum of its members that this bridge has.
package struct GroupState: Hashable, Sendable {
    /// What a device contributes.
    package struct Member: Hashable, Sendable {
        package var isOnline: Bool
        /// The battery level in percent; nil if unknown.
        package var battery: Double?
        /// Whether it plays a haptic pattern.
        package var isPlaying: Bool
        /// Whether its emergency stop is set.
        package var isStopped: Bool

        package init(
            isOnline: Bool, battery: Double? = nil, isPlaying: Bool = false, isStopped: Bool = false
        ) {
            self.isOnline = isOnline
            self.battery = battery
            self.isPlaying = isPlaying
            self.isStopped = isStopped
        }
    }

    private var members = 0
    private var online = 0
    private var lowestBattery: Double?
    private var playing = 0
    private var stopped = 0

    package init(_ members: [Member]) {
        self.members = members.count
        stopped = members.count(where: \.isStopped)
        // The last values of an offline device are out of date, except for its emergency stop.
        let present = members.filter(\.isOnline)
        online = present.count
        playing = present.count(where: \.isPlaying)
        lowestBattery = present.compactMap(\.battery).min()
    }

    package var value: JSON.Value {
        [
            "members": .integer(members), "online": .integer(online),
            "lowest_battery": lowestBattery.map { .number($0) } ?? .null,
            "playing": .integer(playing), "stopped": .integer(stopped),
        ]
    }
}
