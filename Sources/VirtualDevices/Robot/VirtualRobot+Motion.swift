extension VirtualRobot {
    /// The interval of the simulated firmware loop while the robot moves.
    private static let step = Duration.milliseconds(20)
    /// The interval of pose reports while the pose changes.
    private static let poseInterval = Duration.seconds(1)

    /// Moves the robot up to `now` with the previous wheel speeds.
    mutating func drive(to now: Duration) {
        defer { posedAt = now }
        guard let posedAt, now > posedAt, wheels != Wheels() else { return }
        pose.advance(
            wheels, seconds: (now - posedAt) / .seconds(1), topSpeed: choices.topSpeed,
            topTurn: choices.topTurn)
    }

    /// Computes new wheel speeds and reports changes.
    mutating func turnWheels(at now: Duration, _ reactions: inout [Reaction]) {
        let facing = fieldOrientation ? pose.heading - Double(choices.heading) : 0
        let wanted = hasPower ? Wheels(movement, rotation, facing: facing) : Wheels()
        let isMoving = wanted != Wheels()
        if wanted != wheels {
            reactions.append(
                .report(
                    .wheels(wanted.leftFront, wanted.rightFront, wanted.leftRear, wanted.rightRear)))
            if !isMoving { reportPose(at: now, &reactions) }
            wheels = wanted
        }
        guard isMoving else { return reactions.append(.cancelTimer(Timer.step.rawValue)) }
        if now - poseReportedAt >= Self.poseInterval { reportPose(at: now, &reactions) }
        reactions.append(.startTimer(Timer.step.rawValue, after: Self.step))
    }

    private mutating func reportPose(at now: Duration, _ reactions: inout [Reaction]) {
        poseReportedAt = now
        reactions.append(.report(.other(event: "pose", pose.details)))
    }
}
