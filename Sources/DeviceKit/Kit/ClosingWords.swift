/// The last writes before a link is closed cleanly, and their time limit.
public struct ClosingWords: Hashable, Sendable {
    /// The timer that runs during the last writes.
    public static let timer: TimerName = "close"

    /// The time limit for the last writes. The session closes the link after 1.5 s in any case.
    public let time: Duration

    /// Creates a time limit for the last writes.
    public init(within time: Duration) { self.time = time }

    /// Starts the time limit for the last writes. If there are no last writes, closes the link immediately.
    public func begin(hasWords: Bool, _ effects: inout Effects) {
        guard hasWords else { return effects.append(.disconnect) }
        effects.startTimer(Self.timer, after: time)
    }

    /// Closes the link; called when the last writes are complete or refused.
    public func finish(_ effects: inout Effects) {
        effects.cancelTimer(Self.timer)
        effects.append(.disconnect)
    }

    /// Closes the link if the last writes are not complete within the time limit.
    public func isLate(in phase: LinkPhase, _ effects: inout Effects) {
        if phase == .closing { effects.append(.disconnect) }
    }
}
