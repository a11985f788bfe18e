import EventLoop

// Waits until the guardian process reaches a certain state.
extension ProcessGuardian {
    /// Waits until the guardian process holds the lock.
    ///
    /// - Returns: Whether the process got the lock within the time.
    func isReady(within time: Duration) async -> Bool {
        await wait(time) { $0.isReady }
    }

    /// Waits until no device that was handed over is being made safe.
    ///
    /// - Returns: Whether the work ended within the time.
    func isDone(within time: Duration) async -> Bool {
        await wait(time) { guardian in
            !guardian.entries.values.contains { if case .carryOut = $0 { true } else { false } }
        }
    }

    func wait(_ time: Duration, until isSo: (isolated ProcessGuardian) -> Bool) async -> Bool {
        let timer = loop.schedule(after: time) { [weak self] in self?.assumeIsolated { $0.wakeWaiters() } }
        defer { timer.cancel() }
        let end = EventLoop.now + time
        while !isSo(self), EventLoop.now < end {
            await withCheckedContinuation { continuation in
                guard !isSo(self) else { return continuation.resume() }
                waiters.append(continuation)
            }
        }
        return isSo(self)
    }

    func wakeWaiters() {
        let waiting = waiters
        waiters = []
        for waiter in waiting { waiter.resume() }
    }
}
