extension CommandError {
    /// The causes that a code alone does not tell.
    public enum Reason: Hashable, Sendable, CaseIterable {
        /// The host's clock cannot be compared with the sender's.
        case clock
        /// The echo is late.
        case path
        /// The sender's echo is late.
        case sender
        /// The bridge stalled.
        case stall
        /// Devices share a name.
        case nameShared
        /// A stop could not arrive.
        case subscription
        /// No guardian watches over the device.
        case noGuardian
        /// The press began before a stop.
        case hold
        /// A stop came, which still holds the device.
        case stop(MotionStop)

        /// All causes, in the order of the reference.
        public static var allCases: [Reason] {
            [.clock, .path, .sender, .stall, .nameShared, .subscription, .noGuardian, .hold]
                + MotionStop.allCases.map(Reason.stop)
        }

        /// What the answer carries as `reason`.
        public var rawValue: String {
            switch self {
            case .clock: "clock"
            case .path: "path"
            case .sender: "sender"
            case .stall: "stall"
            case .nameShared: "name_shared"
            case .subscription: "subscription"
            case .noGuardian: "no_guardian"
            case .hold: "hold"
            case .stop(let stop): stop.rawValue
            }
        }

        /// The code that it stands beside.
        public var code: Code {
            switch self {
            case .clock, .path, .sender, .stall: .expired
            case .nameShared, .subscription, .noGuardian: .wrongMode
            case .hold, .stop: .stopped
            }
        }
    }

    /// Makes an error of a cause, with the code that the cause stands beside, and words.
    public init(_ reason: Reason, _ message: String) {
        self.init(reason.code, message, reason: reason)
    }
}
