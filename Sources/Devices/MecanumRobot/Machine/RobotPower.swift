import DeviceKit

/// When the motor power can be switched on, which commands requested it, and when it is switched off.
struct RobotPower: Hashable, Sendable {
    /// Whether the power is switched on without a command (`power_on_connect`).
    enum OnConnect: Hashable, Sendable {
        case no
        /// As soon as nothing blocks motion.
        case awaitsClearance
        /// As soon as the retained status is known.
        case cleared
    }

    static let timer: TimerName = "power"
    static let idleTimer: TimerName = "idle"

    /// When the power is switched off because the robot was not driven.
    private(set) var idleEnd: Duration?
    /// The commands that wait for the power; nil if the power is not requested.
    private(set) var requests: [CommandID]?
    /// Until this time, the firmware can switch the power off again.
    var allowedFrom = Duration.zero
    var onConnect = OnConnect.no

    /// Requests the power, with or without commands to answer.
    mutating func request(_ ids: [CommandID] = []) { requests = (requests ?? []) + ids }

    mutating func takeRequests() -> [CommandID] {
        defer { requests = nil }
        return requests ?? []
    }

    /// Restarts the timeout of unused power.
    mutating func used(for time: Duration, at now: Duration, _ effects: inout Effects) {
        idleEnd = now + time
        effects.startTimer(Self.idleTimer, after: time)
    }

    mutating func cut(_ effects: inout Effects) {
        idleEnd = nil
        effects.cancelTimer(Self.idleTimer)
    }
}
