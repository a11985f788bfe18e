/// The effect that a command requests on the motion of a device that can injure people.
public enum MotionDemand: Hashable, Sendable {
    /// The command moves nothing and makes no motion possible: for example a command that switches off, or that changes
    /// a setting.
    case none
    /// The command makes the device stand still: for example the command that is sent when a joystick is released.
    case rest
    /// The command makes motion possible and moves nothing itself: it switches the power on. It has no effect on a
    /// device that already has power.
    case power
    /// The command sets something in motion: it drives a robot or switches a weapon on.
    ///
    /// `lease` is how long the command is valid without a newer command; nil if it has no time limit.
    case motion(lease: Duration?)
}

/// The parts of a command that ``MotionGate`` needs.
public struct MotionRequest: Hashable, Sendable {
    /// How the command affects the motion.
    public var demand: MotionDemand
    /// The number of the press of a joystick or button that the command belongs to; nil if the sender provides none.
    public var hold: Int?
    /// The newest echo of the bridge that the sender has read from the broker; nil if the sender provides none.
    public var echo: String?

    /// Creates the description of a command.
    public init(_ demand: MotionDemand, hold: Int? = nil, echo: String? = nil) {
        self.demand = demand
        self.hold = hold
        self.echo = echo
    }
}

/// The causes for which ``MotionGate`` considers a device stopped. After each cause, the sender must request motion
/// again.
public enum MotionStop: String, Hashable, Sendable, CaseIterable {
    /// The device's `stop` command.
    case stop
    /// The device's `emergency_stop` command.
    case emergencyStop = "emergency_stop"
    /// The command `all/stop/set`, or the stop of all devices of the family.
    case allStop = "all_stop"
    /// Messages from the broker are delayed.
    case pathLost = "path_lost"
    /// The bridge stalled: its process did not run for a time.
    case late
    /// The configuration was reloaded.
    case reload
    /// The link to the device was lost.
    case linkLost = "link_lost"
    /// The connection to the broker was lost.
    case brokerLost = "broker_lost"
    /// The host is about to suspend.
    case suspend
    /// The bridge has just started and does not know whether a user holds a joystick.
    case start
    /// The guardian ended a motion, because the bridge was silent beyond the deadline of the motion.
    case guardian
}
