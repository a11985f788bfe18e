/// The stage of a device's session, and the callers that wait until the session reaches a stage.
package struct SessionLife {
    package enum Stage: Comparable {
        /// The session manages its device.
        case open
        /// The device is being made safe.
        case closing
        /// The device is safe, or the time to make it safe is over. Its link is being closed.
        case finished
        /// The link is closed.
        case ended
    }

    package private(set) var stage = Stage.open
    private var waiting: [(stage: Stage, continuation: CheckedContinuation<Void, Never>)] = []

    package init() {}

    /// Advances to a later stage, and resumes the callers that waited for it.
    ///
    /// - Returns: False if this or a later stage was already reached.
    package mutating func advance(to stage: Stage) -> Bool {
        guard self.stage < stage else { return false }
        self.stage = stage
        let due = waiting.filter { $0.stage <= stage }
        waiting.removeAll { $0.stage <= stage }
        for waiter in due { waiter.continuation.resume() }
        return true
    }

    /// Resumes a continuation when the session reaches a stage, or immediately if it has reached the stage.
    package mutating func resume(_ continuation: CheckedContinuation<Void, Never>, at stage: Stage) {
        if self.stage >= stage { continuation.resume() } else { waiting.append((stage, continuation)) }
    }
}
