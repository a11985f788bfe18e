import DeviceKit

extension RobotMachine {
    /// The state of the connection, in the words of the makers' app.
    private var connection: RobotStatus.Connection {
        switch (phase, stage) {
        case (.online, _): .connected
        case (.handshake, _), (_, .connecting), (_, .pairing), (_, .preparing): .connecting
        case (_, .searching): .searching
        case (_, .error): .error
        case (_, .disconnected), (_, .connected): .disconnected
        }
    }

    /// The published status, without the remaining lease, which changes all the time.
    var status: RobotStatus {
        let motion = drive.motion ?? .none
        let direction = Self.rounded(motion.direction, 100)
        return RobotStatus(
            connection: connection, hasPower: buttons.power, isEmergencyStopSet: latch.state == .latched,
            isWeaponOn: buttons.weapon, hasFieldOrientation: buttons.fieldOrientation, fieldOffset: offset,
            isMoving: motion.isMotion, direction: direction < 360 ? direction : 0,
            speed: Self.rounded(motion.speed, 1000), turn: Self.rounded(motion.turn, 1000),
            stoppedBy: stoppedBy, blockedBy: phase == .online ? block : nil, isUnconfirmed: isUnconfirmed)
    }

    private static func rounded(_ number: Double, _ parts: Double) -> Double {
        (number * parts).rounded() / parts
    }
}
