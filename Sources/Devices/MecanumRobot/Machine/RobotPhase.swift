/// The stage of the link to a robot.
enum RobotPhase: Hashable, Sendable {
    case offline
    case handshake(RobotHandshake)
    case online
    /// The link is being closed. The last writes may still be in progress.
    case closing
    /// The robot does not obey. Its stop is written repeatedly until the link is closed.
    case givenUp
}
