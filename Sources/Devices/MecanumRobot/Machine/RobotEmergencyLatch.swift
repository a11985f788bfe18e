import DeviceKit

/// What a robot's machine knows of the emergency stop, and of its way to the disk.
struct RobotEmergencyLatch: Hashable, Sendable {
    /// An emergency stop on its way to its answer, which needs the robot and the disk.
    struct Stop: Hashable, Sendable {
        let id: CommandID
        /// Until when the answer waits for the disk.
        let deadline: Duration
        /// What the robot made of it.
        var outcome: Answer?
        /// What the disk made of it.
        var keeping: Keeping?
    }

    /// Whether an emergency stop survives a restart.
    enum Keeping: Hashable, Sendable {
        case kept
        case notKept(String)
    }

    /// How long an answer waits for the disk.
    static let patience = Duration.seconds(2)
    /// After how long an emergency stop that is not kept is written again.
    static let pause = Duration.seconds(5)
    /// Why an answer did not wait longer.
    static let lateness = "the disk did not confirm it within 2 s"

    /// What holds.
    var state: Latch
    /// What is on its way to the disk; nothing else is written meanwhile.
    var underWay: Bool?
    /// Whether `latched` has to be written as soon as that is done.
    var isDue = false
    /// Whether the last emergency stop could not be kept.
    var isUnkept = false
    /// The emergency stops that are not answered.
    var stops: [Stop] = []
    /// Until when the commands for power wait for the latch to be cleared on the disk; nil where none does.
    var releaseDeadline: Duration?
    /// Whether a person released it over this link.
    var isReleased = false
    /// Whether the broker may still have a message in store that says more.
    var isRecalling = true
    /// Whether another bridge had the robot before this link.
    var isTakenOver = false
    /// Whether the power is to be switched on without a command, as soon as that is allowed.
    var awaitsPower = false

    init(_ state: Latch) { self.state = state }

    /// When an answer must not wait any longer; nil where none waits for the disk.
    var nextDeadline: Duration? {
        let deadlines = stops.filter { $0.keeping == nil }.map(\.deadline)
        return (deadlines + [releaseDeadline].compactMap { $0 }).min()
    }
}
