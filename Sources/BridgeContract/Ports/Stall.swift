/// A time in which an event loop could not run.
public enum Stall: Hashable, Sendable {
    /// The event loop ran this much too late: the process was stopped or had no CPU, or a handler blocked the loop.
    case late(Duration)
    /// The machine was suspended for this time.
    case suspended(Duration)
}
