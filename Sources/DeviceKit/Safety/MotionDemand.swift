/// The demand of a command on the motion of a device that can injure people.
public enum MotionDemand: Hashable, Sendable {
    /// Moves nothing and makes no motion possible: a switch to off, a setting.
    case none
    /// Asks the device to stand still: a joystick that was released.
    case rest
    /// Makes motion possible and moves nothing itself: power on. It has no effect on a device that already has power.
    case power
    /// Sets something in motion: a drive, weapon on.
    ///
    /// `lease` is how long the command is valid without a newer command; nil if it has no time limit.
    case motion(lease: Duration?)
}

/// The parts of a command that ``MotionGate`` needs.
public struct MotionRequest: Hashable, Sendable {
    /// The demand on the motion.
    public var demand: MotionDemand
    /// The number of the press of a joystick or button that the command belongs to; nil if the sender provides none.
    public var hold: Int?
    /// The newest echo that the sender has read; nil if the sender provides none.
    public var echo: String?

    /// Describes a command.
    public init(_ demand: MotionDemand, hold: Int? = nil, echo: String? = nil) {
        self.demand = demand
        self.hold = hold
        self.echo = echo
    }
}

/// Why ``MotionGate`` considers a device stopped. After each of these causes, the sender must request motion again.
public enum MotionStop: String, Hashable, Sendable, CaseIterable {
    /// The device's own `stop`.
    case stop
    /// The device's `emergency_stop`.
    case emergencyStop = "emergency_stop"
    /// `all/stop/set`, or the stop of all devices of the family.
    case allStop = "all_stop"
    /// Messages from the broker are delayed.
    case pathLost = "path_lost"
    /// The bridge stalled.
    case late
    /// The configuration was reloaded.
    case reload
    /// The link to the device was lost.
    case linkLost = "link_lost"
    /// The connection to the broker was lost.
    case brokerLost = "broker_lost"
    /// The host is about to suspend.
    case suspend
    /// The bridge has just started and does not know about sticks that are held.
    case start
    /// The guardian ended a motion, because the bridge was silent beyond its deadline.
    case guardian
}
