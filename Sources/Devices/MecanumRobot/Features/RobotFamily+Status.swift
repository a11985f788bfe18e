import DeviceKit

extension RobotFamily {
    private static let statusFields: [SaidField<RobotStatus>] = [
        .field(
            "connection", \.connection, .choice,
            "The state of the connection; read it together with the availability."),
        .field("power", \.hasPower, .boolean, "Whether the motors have power."),
        .field(
            "emergency_stop", \.isEmergencyStopSet, .boolean, "Whether the emergency stop is set."),
        .field("weapon", \.isWeaponOn, .boolean, "Whether the weapon is on."),
        .field(
            "field_orientation", \.hasFieldOrientation, .boolean,
            "Whether directions are relative to the heading that the robot had at its start."),
        .field(
            "field_offset", \.fieldOffset, .number(-180...180), unit: "degrees",
            "The angle that is added to directions while field orientation is on."),
        .field("moving", \.isMoving, .boolean, "Whether it is commanded to move."),
        .field(
            "direction", \.direction, .angle, unit: "degrees",
            "The direction of travel; 0 is forward, 90 is right."),
        .field("speed", \.speed, .number(0...1), "The speed, 0 to 1."),
        .field(
            "turn", \.turn, .number(-1...1),
            "The turn rate; -1 is counterclockwise, 1 is clockwise."),
        .field(
            "lease_ms", \.lease, .integer(0...longestLease), unit: "ms",
            "The time that the drive command remains valid without a newer command."),
        .field(
            "stopped_by", \.stoppedBy, .choice,
            "The cause of the last stop; null after it was driven. field_offset is reserved and never occurs."
        ),
        .field(
            "blocked_by", \.blockedBy,
            .choice(MotionGate.Block.allCases.map { ($0.rawValue, $0) }),
            "The reason why it rejects drive, power on and weapon on: stopped: release the stick; path: "
                + "messages from the broker are delayed; subscription: a stop could not arrive; guardian: no guardian "
                + "would stop it if the bridge died. null if it accepts them, and while it is not connected."
        ),
        .field(
            "unconfirmed", \.isUnconfirmed, .boolean,
            "Whether a motion had to be stopped without the bridge, and the stop is not confirmed yet: "
                + "keep away."),
    ]

    static let status = FeatureHandle<RobotStatus, Never>(
        "status", "The current commands, the cause of the last stop, and whether the robot can be driven.",
        says: .state(
            statusFields,
            example: RobotStatus(
                connection: .connected, hasPower: true, isMoving: true, direction: 90, speed: 0.5,
                lease: 420)),
        shown: { keys in
            [
                .reading("Power", of: keys.said(\.hasPower), meaning: .power),
                .reading("Emergency stop set", of: keys.said(\.isEmergencyStopSet), meaning: .problem),
                .reading("Moving", of: keys.said(\.isMoving), meaning: .moving),
                .reading("Weapon", of: keys.said(\.isWeaponOn), meaning: .running),
                .reading(
                    "Stopped by", of: keys.said(\.stoppedBy), purpose: .diagnosis, icon: "car-brake-alert"),
                .reading(
                    "Blocked by", of: keys.said(\.blockedBy), purpose: .diagnosis, icon: "gate-alert"),
                .reading("Direction", of: keys.said(\.direction), icon: "compass-rose", hidden: true),
                .reading("Speed", of: keys.said(\.speed), icon: "speedometer", hidden: true),
                .reading("Turn", of: keys.said(\.turn), icon: "rotate-right", hidden: true),
                .reading(
                    "Field orientation", of: keys.said(\.hasFieldOrientation), purpose: .diagnosis,
                    icon: "axis-arrow", hidden: true),
            ]
        })
}
