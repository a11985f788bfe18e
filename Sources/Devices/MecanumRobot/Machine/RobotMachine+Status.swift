import DeviceKit

extension RobotMachine {
    /// The shortest time between two reports, stops excepted.
    private static let statusInterval = Duration.milliseconds(200)

    /// Publishes the status if it changed: at once for a stop, else at most five times a second.
    mutating func publishStatus(_ effects: inout Effects) {
        // A lease that runs down is no change.
        var state = status
        defer { isStatusUrgent = false }
        guard state != publishedStatus else { return }
        if !isStatusUrgent, let publishedAt, now - publishedAt < Self.statusInterval {
            return effects.startTimer(Self.statusTimer, after: publishedAt + Self.statusInterval - now)
        }
        (publishedStatus, publishedAt) = (state, now)
        effects.cancelTimer(Self.statusTimer)
        state.lease = lease.rest(at: now).map { Int($0 / .milliseconds(1)) } ?? 0
        RobotFamily.status.publish(state, &effects)
    }

    /// The words of the app.
    private var connection: RobotStatus.Connection {
        switch (phase, stage) {
        case (.online, _): .connected
        case (.handshake, _), (_, .connecting), (_, .pairing), (_, .preparing): .connecting
        case (_, .searching): .searching
        case (_, .error): .error
        case (_, .disconnected), (_, .connected): .disconnected
        }
    }

    /// The status, apart from the rest of the lease.
    private var status: RobotStatus {
        let motion = drive ?? .none
        let direction = Self.rounded(motion.direction, 100)
        return RobotStatus(
            connection: connection, hasPower: buttons.power, isEmergencyStopSet: isLatched,
            isWeaponOn: buttons.weapon, hasFieldOrientation: buttons.fieldOrientation, fieldOffset: offset,
            isMoving: motion.isMotion, direction: direction < 360 ? direction : 0,
            speed: Self.rounded(motion.speed, 1000), turn: Self.rounded(motion.turn, 1000),
            stoppedBy: stoppedBy, blockedBy: phase == .online ? block : nil, isUnconfirmed: isUnconfirmed)
    }

    private static func rounded(_ number: Double, _ parts: Double) -> Double {
        (number * parts).rounded() / parts
    }
}
