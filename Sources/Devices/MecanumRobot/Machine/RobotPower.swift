import DeviceKit

/// When the motors' power may come, for whom, and when it goes.
struct RobotPower: Hashable, Sendable {
    /// Whether the power is switched on without a command (`power_on_connect`).
    enum OnConnect: Hashable, Sendable {
        case no
        /// As soon as nothing blocks motion.
        case awaitsClearance
        /// As soon as the broker's retained status is known.
        case cleared
    }

    static let timer: TimerName = "power"
    static let idleTimer: TimerName = "idle"

    /// When the power is switched off because nothing was driven.
    private(set) var idleEnd: Duration?
    /// The commands that wait for the power; nil where nothing asks for it.
    private(set) var requests: [CommandID]?
    /// Before this moment the firmware may cut the power again.
    var allowedFrom = Duration.zero
    var onConnect = OnConnect.no

    /// Asks for the power, for commands or for none.
    mutating func request(_ ids: [CommandID] = []) { requests = (requests ?? []) + ids }

    mutating func takeRequests() -> [CommandID] {
        defer { requests = nil }
        return requests ?? []
    }

    /// Restarts the time after which unused power is switched off.
    mutating func used(for time: Duration, at now: Duration, _ effects: inout Effects) {
        idleEnd = now + time
        effects.startTimer(Self.idleTimer, after: time)
    }

    mutating func cut(_ effects: inout Effects) {
        idleEnd = nil
        effects.cancelTimer(Self.idleTimer)
    }
}
