import DeviceKit

/// The state of the motor power: when it can be switched on, which commands requested that, and when it is switched
/// off.
struct RobotPower: Hashable, Sendable {
    /// Whether the power is switched on without a command (`power_on_connect`).
    enum OnConnect: Hashable, Sendable {
        case no
        /// The power is switched on as soon as nothing blocks motion.
        case awaitsClearance
        /// The power is switched on as soon as the retained status on the broker is known.
        case cleared
    }

    static let timer: TimerName = "power"
    static let idleTimer: TimerName = "idle"

    /// The time at which the power is switched off unless a drive command arrives before that time; nil if the power is
    /// off.
    private(set) var idleEnd: Duration?
    /// The commands that wait until the power is switched on; nil if the power is not requested.
    private(set) var requests: [CommandID]?
    /// The earliest time at which the bridge switches the power on. Before this time, the firmware can still switch the
    /// power off because of the previous disconnect.
    var allowedFrom = Duration.zero
    var onConnect = OnConnect.no

    /// Requests the power, with or without commands to answer.
    mutating func request(_ ids: [CommandID] = []) { requests = (requests ?? []) + ids }

    mutating func takeRequests() -> [CommandID] {
        defer { requests = nil }
        return requests ?? []
    }

    /// Records that the power is used. If it is not used again within the given time, it is switched off.
    mutating func used(for time: Duration, at now: Duration, _ effects: inout Effects) {
        idleEnd = now + time
        effects.startTimer(Self.idleTimer, after: time)
    }

    mutating func cut(_ effects: inout Effects) {
        idleEnd = nil
        effects.cancelTimer(Self.idleTimer)
    }
}
