/// The last writes to a device before its link is closed in good order, and how long they may take.
public struct ClosingWords: Hashable, Sendable {
    /// The timer that runs while they are under way.
    public static let timer: TimerName = "close"

    /// How long they may take; a session waits 1.5 s.
    public let time: Duration

    /// Declares how long they may take.
    public init(within time: Duration) { self.time = time }

    /// Begins to wait for the last one, or closes the link at once if there is nothing to say.
    public func begin(hasWords: Bool, _ effects: inout Effects) {
        guard hasWords else { return effects.append(.disconnect) }
        effects.startTimer(Self.timer, after: time)
    }

    /// Closes the link, since the last one is written or refused.
    public func finish(_ effects: inout Effects) {
        effects.cancelTimer(Self.timer)
        effects.append(.disconnect)
    }

    /// Closes the link if the words took too long.
    public func isLate(in phase: LinkPhase, _ effects: inout Effects) {
        if phase == .closing { effects.append(.disconnect) }
    }
}
