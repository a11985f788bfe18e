import EventLoop

// Waiting for what the process does.
extension ProcessGuardian {
    /// Waits until the process has the lock.
    ///
    /// - Returns: Whether it has, within a time.
    func isReady(within time: Duration) async -> Bool {
        await wait(time) { $0.isReady }
    }

    /// Waits until nothing is carried out any more.
    ///
    /// - Returns: Whether that is so, within a time.
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
