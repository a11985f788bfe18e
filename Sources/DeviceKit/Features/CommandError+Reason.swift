extension CommandError {
    /// The causes that a code alone does not tell; the raw value is what the answer carries as `reason`.
    public enum Reason: String, Hashable, Sendable, CaseIterable {
        /// The host's clock cannot be compared with the sender's.
        case clock
        /// The echo is late.
        case path
        /// The sender's echo is late.
        case sender
        /// The bridge stalled.
        case stall
        /// Devices share a name.
        case nameShared = "name_shared"
        /// A stop could not arrive.
        case subscription
        /// The press began before a stop.
        case hold
        /// The device's own `stop` came.
        case stop
        /// The device's `emergency_stop` came.
        case emergencyStop = "emergency_stop"
        /// A stop of all devices, or of all devices of a family, came.
        case allStop = "all_stop"
        /// The way from the broker was late.
        case pathLost = "path_lost"
        /// The bridge stalled while the device moved.
        case late
        /// The configuration was read anew.
        case reload
        /// The link to the device was lost.
        case linkLost = "link_lost"
        /// The connection to the broker was lost.
        case brokerLost = "broker_lost"
        /// The host went to sleep.
        case suspend
        /// The bridge has just started.
        case start
        /// The guardian ended a motion.
        case guardian

        /// Names the stop that still holds a device.
        public init(_ stop: MotionStop) {
            switch stop {
            case .stop: self = .stop
            case .emergencyStop: self = .emergencyStop
            case .allStop: self = .allStop
            case .pathLost: self = .pathLost
            case .late: self = .late
            case .reload: self = .reload
            case .linkLost: self = .linkLost
            case .brokerLost: self = .brokerLost
            case .suspend: self = .suspend
            case .start: self = .start
            case .guardian: self = .guardian
            }
        }

        /// The code that it stands beside.
        public var code: Code {
            switch self {
            case .clock, .path, .sender, .stall: .expired
            case .nameShared, .subscription: .wrongMode
            case .hold, .stop, .emergencyStop, .allStop, .pathLost, .late, .reload, .linkLost, .brokerLost,
                .suspend, .start, .guardian:
                .stopped
            }
        }
    }

    /// Makes an error of a cause, with the code that the cause stands beside, and words.
    public init(_ reason: Reason, _ message: String) {
        self.init(reason.code, message, reason: reason)
    }
}
