import EventLoop

/// Somebody who waits until the tree, or something else of the daemon, is as wanted.
struct Wait {
    let condition: () -> Bool
    let timer: LoopTimer?
    let continuation: CheckedContinuation<Bool, Never>
}

extension Daemon {
    /// Waits until a condition holds; it is asked after every change. False if the time was over, or the task
    /// cancelled, before.
    func until(_ limit: Duration? = nil, _ condition: @escaping () -> Bool) async -> Bool {
        if condition() { return true }
        let number = makeNumber()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard !Task.isCancelled else { return continuation.resume(returning: false) }
                // What is awaited on the way here may have let changes pass.
                guard !condition() else { return continuation.resume(returning: true) }
                let timer = limit.map {
                    loop.schedule(after: $0) { [weak self] in self?.assumeIsolated { $0.giveUp(number) } }
                }
                waits[number] = Wait(condition: condition, timer: timer, continuation: continuation)
            }
        } onCancel: {
            loop.execute { self.assumeIsolated { $0.giveUp(number) } }
        }
    }

    /// Asks all conditions anew.
    func wake() {
        guard !waits.isEmpty else { return }
        for (number, wait) in waits.sorted(by: { $0.key < $1.key }) where wait.condition() {
            waits[number] = nil
            wait.timer?.cancel()
            wait.continuation.resume(returning: true)
        }
    }

    func giveUp(_ number: UInt64) {
        guard let wait = waits.removeValue(forKey: number) else { return }
        wait.timer?.cancel()
        wait.continuation.resume(returning: false)
    }
}
