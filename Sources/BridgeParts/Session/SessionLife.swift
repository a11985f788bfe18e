/// How far a session is on its way to its end, and what waits for that.
package struct SessionLife {
    package enum Stage: Comparable {
        /// It looks after its device.
        case open
        /// The device is made safe.
        case closing
        /// The device is safe, or its time is up; its link is being closed.
        case finished
        /// The link is closed.
        case ended
    }

    package private(set) var stage = Stage.open
    private var waiting: [(stage: Stage, continuation: CheckedContinuation<Void, Never>)] = []

    package init() {}

    /// Goes on to a later stage, and with what waited for it.
    ///
    /// - Returns: False if the stage, or a later one, was reached before.
    package mutating func advance(to stage: Stage) -> Bool {
        guard self.stage < stage else { return false }
        self.stage = stage
        let due = waiting.filter { $0.stage <= stage }
        waiting.removeAll { $0.stage <= stage }
        for waiter in due { waiter.continuation.resume() }
        return true
    }

    /// Resumes a continuation when a stage is reached.
    package mutating func resume(_ continuation: CheckedContinuation<Void, Never>, at stage: Stage) {
        if self.stage >= stage { continuation.resume() } else { waiting.append((stage, continuation)) }
    }
}
