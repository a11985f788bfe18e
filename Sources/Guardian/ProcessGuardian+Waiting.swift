import EventLoop

// Waiting for changes of the guardian process.
extension ProcessGuardian {
    /// Waits until the process holds the lock.
    ///
    /// - Returns: Whether it does, within the time.
    func isReady(within time: Duration) async -> Bool {
        await wait(time) { $0.isReady }
    }

    /// Waits until no will is being carried out.
    ///
    /// - Returns: Whether that is the case, within the time.
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
