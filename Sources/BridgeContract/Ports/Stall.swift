/// A time in which a loop was kept from its work.
public enum Stall: Hashable, Sendable {
    /// The loop came too late by so much: the process was stopped or starved, or a handler blocked the loop.
    case late(Duration)
    /// The machine slept for so long.
    case suspended(Duration)
}
