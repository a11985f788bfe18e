/// What is done once a round of the loop, whatever the number of devices that changed in it.
package struct Rounds: Sendable {
    private var isScheduled = false
    private var detectsStalls = false

    package init() {}

    /// Wants the end of this round.
    ///
    /// - Returns: Whether to schedule it.
    package mutating func schedule() -> Bool {
        defer { isScheduled = true }
        return !isScheduled
    }

    /// Notes that the end of the round has come.
    package mutating func begin() { isScheduled = false }

    /// Wants stalls detected or not.
    ///
    /// - Returns: Whether the clock is to be told.
    package mutating func detectStalls(_ isWanted: Bool) -> Bool {
        defer { detectsStalls = isWanted }
        return detectsStalls != isWanted
    }
}
