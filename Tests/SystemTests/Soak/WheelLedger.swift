/// When robots were told to drive, and when their wheels turned: never later than the lease of a drive command.
struct WheelLedger {
    /// One drive command: how long it can have reached the robot, and how long it may hold then.
    struct Drive {
        let sentAt: Duration
        let lease: Duration
        /// When the broker had passed it on; nil as long as it has not said so.
        var passedAt: Duration?
    }

    /// What a busy machine may add to a lease: little beside a robot that nobody stops.
    static let tolerance: Duration = .seconds(2)

    private var drives: [String: [Int: Drive]] = [:]
    private var robots: [Int: String] = [:]
    private var turningSince: [String: Duration] = [:]
    /// How often wheels began to turn.
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

    /// The wheels do something else from now on.
    mutating func wheels(_ robot: String, turning: Bool, at time: Duration) {
        // Until this moment they did what they did before.
        if turningSince[robot] != nil { check(robot, at: time) }
        if turning {
            if turningSince[robot] == nil { runs += 1 }
            check(robot, at: time)
        }
        turningSince[robot] = turning ? time : nil
    }

    /// The robots are others from now on, at rest.
    mutating func replaced() { turningSince = [:] }

    /// Looks at those that still turn.
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
