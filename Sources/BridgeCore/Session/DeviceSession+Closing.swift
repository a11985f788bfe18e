import BridgeContract
import BridgeParts
import DeviceKit

// The end of a session: the device is made safe, then it is disconnected.
extension DeviceSession {
    /// How long a state machine may take for its last writes.
    private static let closingTime = Duration.milliseconds(1500)
    private static let closedError = CommandError(.deviceOffline, "the bridge no longer manages the device")
    /// The answer to all requests that wait for a device when the bridge removes it.
    static let closed = Answer.failed(closedError)

    var life: SessionLife.Stage { lifetime.stage }

    /// Stops and disconnects the device cleanly. Returns when the device is safe, or after `closingTime` at the
    /// latest. The disconnection itself may take longer.
    func close(_ cause: StopCause?) async {
        guard lifetime.advance(to: .closing) else { return }
        connector.stop(
            reason: cause == .shutdown ? "the bridge was stopped" : "the bridge no longer manages the device")
        guard link != nil else { return finishClosing() }
        record(.close(connector.supervision.reason ?? "closed by the bridge"))
        _ = connector.part()
        startTimer(.closing, at: now + Self.closingTime)
        if let cause { feed(.stop(cause)) }
        feed(.close)
        await wait(for: .finished)
    }

    /// Finishes closing, because the device is safe or its time is up.
    func finishClosing(isTimeUp: Bool = false) {
        guard lifetime.advance(to: .finished) else { return }
        if link != nil { settleWill(isTimeUp: isTimeUp) }
        visitedAt = nil
        clock.cancel(.closing)
        leaveRecall()
        connector.finish()
        endHolding()
        failPending(Self.closedError)
        refuseWaiting(Self.closedError)
        answerStops(Self.closed)
        answerConnectWaiters(Self.closed)
        reportConnection()
        let last = link
        spawn { await $0.end(after: last) }
    }

    private func end(after link: (any DeviceLink)?) async {
        await link?.disconnect()
        releaseWill()
        answerDisconnectWaiters()
        jobs.input.finish()
        _ = lifetime.advance(to: .ended)
    }

    /// Returns when the device of a closed session is disconnected.
    func ended() async { await wait(for: .ended) }

    private func wait(for stage: SessionLife.Stage) async {
        await withCheckedContinuation { lifetime.resume($0, at: stage) }
    }
}
