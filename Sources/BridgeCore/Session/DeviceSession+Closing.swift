import DeviceKit

// The end of a session: the device is made safe, then its link is closed.
extension DeviceSession {
    /// How long a state machine may take for its goodbye.
    private static let closingTime = Duration.milliseconds(1500)

    /// Stops the device, closes its link in good order and says so; returns when the device is safe, at the
    /// latest after the time that a state machine has for its goodbye. The link itself may take longer.
    func close(_ cause: StopCause?) async {
        guard !isClosing else { return }
        isClosing = true
        supervision.stop(reason: cause == .shutdown ? "the bridge was stopped" : "the device was let go")
        guard link != nil else { return finishClosing() }
        await withCheckedContinuation { continuation in
            closers.append(continuation)
            startTimer(.closing, at: now + Self.closingTime)
            if let cause { feed(.stop(cause)) }
            feed(.close)
        }
    }

    /// The device is safe, or its time is up.
    func finishClosing() {
        guard !isFinished else { return }
        isFinished = true
        timers.cancel(.closing)
        isReady = false
        adapter = nil
        failPending(.deviceOffline, "the bridge let the device go")
        reportConnection()
        spawn { [weak self, link] in
            await link?.disconnect()
            await self?.end()
        }
        for closer in closers { closer.resume() }
        closers = []
    }

    private func end() {
        isEnded = true
        jobsInput.finish()
        for waiter in endWaiters { waiter.resume() }
        endWaiters = []
    }

    /// Returns when the link of a closed session is closed too.
    func ended() async {
        guard !isEnded else { return }
        await withCheckedContinuation { endWaiters.append($0) }
    }
}
