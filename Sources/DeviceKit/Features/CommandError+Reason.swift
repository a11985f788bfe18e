extension CommandError {
    /// The causes of a refusal that the error code alone does not identify.
    public enum Reason: Hashable, Sendable, CaseIterable {
        /// The command has an expiry time, but the clock of the bridge's host is not synchronized with the sender's
        /// clock.
        case clock
        /// The bridge's echo is delayed: a message that the bridge sends to itself through the broker.
        case path
        /// The bridge's echo that the command quotes is too old, so messages from the sender are delayed.
        case sender
        /// The bridge stalled: its process did not run for a time.
        case stall
        /// Several devices share a name.
        case nameShared
        /// A stop could not reach the bridge, because the broker has not granted the subscription.
        case subscription
        /// No guardian, the process that stops devices if the bridge dies, supervises the device.
        case noGuardian
        /// The device is connected over a Bluetooth proxy, where nothing could end what the command starts.
        case proxy
        /// The press of the joystick or button, which the command names in `hold`, started before a stop.
        case hold
        /// A stop with this cause still blocks motion.
        case stop(MotionStop)

        /// All causes, in the order of the reference.
        public static var allCases: [Reason] {
            [.clock, .path, .sender, .stall, .nameShared, .subscription, .noGuardian, .proxy, .hold]
                + MotionStop.allCases.map(Reason.stop)
        }

        /// The value of `reason` in the answer.
        public var rawValue: String {
            switch self {
            case .clock: "clock"
            case .path: "path"
            case .sender: "sender"
            case .stall: "stall"
            case .nameShared: "name_shared"
            case .subscription: "subscription"
            case .noGuardian: "no_guardian"
            case .proxy: "proxy"
            case .hold: "hold"
            case .stop(let stop): stop.rawValue
            }
        }

        /// The error code of this cause.
        public var code: Code {
            switch self {
            case .clock, .path, .sender, .stall: .expired
            case .nameShared, .subscription, .noGuardian: .wrongMode
            case .proxy: .notSupported
            case .hold, .stop: .stopped
            }
        }
    }

    /// Creates an error from a cause, with the code of the cause, and a message.
    public init(_ reason: Reason, _ message: String) {
        self.init(reason.code, message, reason: reason)
    }
}
