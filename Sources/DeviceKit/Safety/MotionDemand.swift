/// What a command asks of the motion of a device that can hurt a person.
public enum MotionDemand: Hashable, Sendable {
    /// It moves nothing and makes no motion possible: a switch to off, a setting.
    case none
    /// It asks the device to stand still: a joystick that was let go.
    case rest
    /// It makes motion possible and moves nothing itself: power on. A device that has its power already gains nothing
    /// by it.
    case power
    /// It sets something in motion: a drive, weapon on.
    ///
    /// `lease` is how long it holds without a newer command; nil where it names no time.
    case motion(lease: Duration?)
}

/// What a command that moves says of itself for ``MotionGate``.
public struct MotionRequest: Hashable, Sendable {
    /// What it asks for.
    public var demand: MotionDemand
    /// The number of the press of a joystick or button that it belongs to; nil where the sender names none.
    public var hold: Int?
    /// The newest echo that the sender had read; nil where the sender names none.
    public var echo: String?

    /// Describes a command.
    public init(_ demand: MotionDemand, hold: Int? = nil, echo: String? = nil) {
        self.demand = demand
        self.hold = hold
        self.echo = echo
    }
}

/// Why a device was brought to rest, as ``MotionGate`` counts it: after each of these, motion must be asked for anew.
public enum MotionStop: String, Hashable, Sendable, CaseIterable {
    /// The device's own `stop`.
    case stop
    /// The device's `emergency_stop`.
    case emergencyStop = "emergency_stop"
    /// `all/stop/set`, or the stop of all devices of the family.
    case allStop = "all_stop"
    /// The way from the broker to the bridge is late.
    case pathLost = "path_lost"
    /// The bridge stood still.
    case late
    /// The configuration was read anew.
    case reload
    /// The link to the device was lost.
    case linkLost = "link_lost"
    /// The connection to the broker was lost.
    case brokerLost = "broker_lost"
    /// The host goes to sleep.
    case suspend
    /// The bridge has just started, and does not know who holds a stick.
    case start
    /// The guardian ended a motion, because the bridge was silent beyond its deadline.
    case guardian
}
