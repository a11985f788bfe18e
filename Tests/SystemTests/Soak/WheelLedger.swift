/// Drive commands and wheel motion: wheels must never turn after the lease of the last drive command.
struct WheelLedger {
    /// A drive command: the interval in which it can have reached the robot, and its lease.
    struct Drive {
        let sentAt: Duration
        let lease: Duration
        /// The time of the broker's acknowledgment; nil until then.
        var passedAt: Duration?
    }

    /// The extension of a lease that a busy machine may cause: short compared to a robot that nothing stops.
    static let tolerance: Duration = .seconds(2)

    private var drives: [String: [Int: Drive]] = [:]
    private var robots: [Int: String] = [:]
    private var turningSince: [String: Duration] = [:]
    /// How often wheels started to turn.
    private(set) var runs = 0
    private(set) var faults: [String] = []

    mutating func drive(_ robot: String, number: Int, lease: Duration, at time: Duration) {
        drives[robot, default: [:]][number] = Drive(sentAt: time, lease: lease)
        robots[number] = robot
    }

    mutating func passed(_ number: Int, at time: Duration) {
        guard let robot = robots[number] else { return }
        drives[robot]?[number]?.passedAt = time
    }

    /// Records a change of the wheels.
    mutating func wheels(_ robot: String, turning: Bool, at time: Duration) {
        // The wheels kept their earlier state until this moment.
        if turningSince[robot] != nil { check(robot, at: time) }
        if turning {
            if turningSince[robot] == nil { runs += 1 }
            check(robot, at: time)
        }
        turningSince[robot] = turning ? time : nil
    }

    /// Records that new robots, at rest, replaced all earlier ones.
    mutating func replaced() { turningSince = [:] }

    /// Checks the wheels that still turn.
    mutating func finish(at time: Duration) {
        for robot in turningSince.keys.sorted() { check(robot, at: time) }
    }

    private mutating func check(_ robot: String, at time: Duration) {
        let last = (drives[robot] ?? [:]).values.filter { $0.sentAt <= time }
            .map { ($0.passedAt ?? time) + $0.lease }.max()
        if let last, time <= last + Self.tolerance { return }
        faults.append(
            "\(robot): its wheels turn at \(time), "
                + (last.map { "the last lease ended at \($0)" } ?? "and nobody told it to"))
    }
}
