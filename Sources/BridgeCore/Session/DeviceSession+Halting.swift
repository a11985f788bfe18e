import DeviceKit

// A stop of everything: `all/stop/set`, and when the bridge or the host stands still.
extension DeviceSession {
    /// What waits until a stop of everything is written.
    struct StopWaiter {
        var done: (Answer) -> Void
        /// Why a write of the stop failed.
        var failure: OperationError?
    }

    /// How long the writes of a stop may take before it is said that they did not end.
    private static let haltTime = Duration.seconds(2)

    /// Stops whatever the device does, and answers when that is written. A link that this bridge holds is used
    /// whoever speaks for the device; without one only what waits is given up.
    func halt(_ request: CommandRequest) {
        desk.voidAll(before: request.arrival)
        feed(.stop(.allStop))
        guard let collector = request.collector else { return }
        guard link != nil, life < .finished else {
            return world.collected(
                ownership.isOurs || ownership.isUnknown ? .failed(.deviceOffline, offlineMessage) : nil,
                collector)
        }
        stopWaiters.append(StopWaiter { [world] in world.collected($0, collector) })
        startTimer(.halt, at: now + Self.haltTime)
        settleStopWaiters(nil)
    }

    /// Makes void what was decided so far, and what arrives until the bridge has caught up.
    func quarantine() {
        desk.quarantine(at: now)
        stallEpoch += 1
    }

    /// Returns when everything that stops the device is written, or that took too long.
    func halted() async {
        guard link != nil, hasWrites else { return }
        await withCheckedContinuation { continuation in
            guard link != nil, hasWrites else { return continuation.resume() }
            stopWaiters.append(StopWaiter { _ in continuation.resume() })
            startTimer(.halt, at: now + Self.haltTime)
        }
    }

    /// A write is done: the last one of a stop ends it.
    func settleStopWaiters(_ result: Result<[UInt8], OperationError>?) {
        guard !stopWaiters.isEmpty else { return }
        if case .failure(let error) = result {
            for index in stopWaiters.indices where stopWaiters[index].failure == nil {
                stopWaiters[index].failure = error
            }
        }
        guard !hasWrites else { return }
        answerStopWaiters(machine.isStopCertain ? .ok : .unconfirmed)
    }

    /// Answers all who wait for a stop; one whose write failed hears of that.
    func answerStopWaiters(_ answer: Answer) {
        let waiting = stopWaiters
        stopWaiters = []
        clock.cancel(.halt)
        for halt in waiting {
            halt.done(halt.failure.map { .failed(.deviceError, $0.message) } ?? answer)
        }
    }
}
