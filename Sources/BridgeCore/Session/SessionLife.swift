/// How far a session is on its way to its end.
enum SessionLife: Comparable {
    /// It looks after its device.
    case open
    /// The device is made safe.
    case closing
    /// The device is safe, or its time is up; its link is being closed.
    case finished
    /// The link is closed.
    case ended
}

/// What waits for a session to get so far.
struct LifeWaiters {
    private var waiting: [(life: SessionLife, continuation: CheckedContinuation<Void, Never>)] = []

    mutating func add(_ life: SessionLife, _ continuation: CheckedContinuation<Void, Never>) {
        waiting.append((life, continuation))
    }

    /// Goes on with what waited for a stage that is reached.
    mutating func reached(_ life: SessionLife) {
        let due = waiting.filter { $0.life <= life }
        waiting.removeAll { $0.life <= life }
        for waiter in due { waiter.continuation.resume() }
    }
}
