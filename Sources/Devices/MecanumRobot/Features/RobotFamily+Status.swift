import DeviceKit

extension RobotFamily {
    private static let statusFields: [SaidField<RobotStatus>] = [
        .field(
            "connection", \.connection, .choice,
            "Where the connection stands; to be read together with the availability."),
        .field("power", \.hasPower, .boolean, "Whether the motors have power."),
        .field(
            "emergency_stop", \.isEmergencyStopSet, .boolean, "Whether the emergency stop is set."),
        .field("weapon", \.isWeaponOn, .boolean, "Whether the weapon is on."),
        .field(
            "field_orientation", \.hasFieldOrientation, .boolean,
            "Whether directions are relative to the heading that the robot had at its start."),
        .field(
            "field_offset", \.fieldOffset, .number(-180...180), unit: "degrees",
            "What is added to directions while field orientation is on."),
        .field("moving", \.isMoving, .boolean, "Whether it is told to move."),
        .field(
            "direction", \.direction, .angle, unit: "degrees",
            "Where it drives; 0 forward, 90 right."),
        .field("speed", \.speed, .number(0...1), "How fast it drives."),
        .field(
            "turn", \.turn, .number(-1...1),
            "How fast it turns; -1 counter-clockwise, 1 clockwise."),
        .field(
            "lease_ms", \.lease, .integer(0...longestLease), unit: "ms",
            "How long the drive command holds without a newer one."),
        .field(
            "stopped_by", \.stoppedBy, .choice, "What stopped it last; null since it was driven."),
        .field(
            "blocked_by", \.blockedBy,
            .choice(MotionGate.Block.allCases.map { ($0.rawValue, $0) }),
            "Why it takes no drive, power on or weapon on now: stopped: let go of the stick; path: the "
                + "way from the broker is late; subscription: a stop could not arrive; guardian: no guardian runs "
                + "that would stop it if the bridge died. null if it takes them, and while it is not connected."
        ),
        .field(
            "unconfirmed", \.isUnconfirmed, .boolean,
            "Whether a motion had to be ended without the bridge and nothing confirms yet that it ended: "
                + "keep away."),
    ]

    static let status = FeatureHandle<RobotStatus, Never>(
        "status", "What the robot was told to do, what stopped it last, and whether it can be driven.",
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
