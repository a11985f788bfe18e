import BridgeContract
import DBus
import EventLoop
import Logging

// The guardian's main task: it ends overdue motions, and carries out wills.
extension GuardianProcess {
    /// Schedules the next check for motions that exceed their deadline.
    func arm() {
        alarm?.cancel()
        guard watch != nil, let next = book.nextAlarm else { return }
        alarm = loop.schedule(after: next - EventLoop.now) { [weak self] in
            self?.assumeIsolated { $0.endMotions() }
        }
    }

    private func endMotions() {
        read()
        guard watch != nil else { return }
        guard connection != nil else {
            alarm?.cancel()
            alarm = loop.schedule(after: .milliseconds(100)) { [weak self] in
                self?.assumeIsolated { $0.endMotions() }
            }
            return
        }
        for overdue in book.takeOverdue(at: EventLoop.now) { spawn { await $0.end(overdue) } }
        arm()
    }

    /// Ends a motion in place of the bridge: retries until the device is at rest or the bridge sends a message.
    ///
    /// While the bridge sends nothing, the guardian does not stop trying, because no other process would. After the
    /// time limit it reports a failure, and continues at longer intervals.
    private func end(_ overdue: WillBook.Overdue) async {
        let device = overdue.will.device
        logger.warning(
            "no message from the bridge before a deadline: the guardian stops the motion",
            metadata: ["device": "\(device)"])
        var found = await openConnection()
        while found == nil, watch != nil, book.isEnding(device: device, attempt: overdue.attempt) {
            found = await openConnection()
        }
        guard let connection = found else { return }
        let execution = WillExecution(
            overdue.will.deadlineWrites, end: EventLoop.now + options.time, goesOn: true)
        var isTold = false
        let writer = WillWriter(connection: connection, logger: logger)
        let time = WillWriter.linkTimeOfLivingBridge
        let outcome = await writer.carryOut(execution, of: overdue.will, linkTime: time) { state in
            read()
            guard watch != nil, book.isEnding(device: device, attempt: overdue.attempt) else { return false }
            guard let complaint = state.complaint else { return true }
            failing.insert(device)
            if EventLoop.now >= execution.end, !isTold {
                isTold = true
                abandon(
                    device, complaint,
                    "the bridge sends nothing, and the motion cannot be stopped: keep away; the guardian retries"
                )
                reply(.unconfirmed(device: device))
            }
            return true
        }
        guard let outcome, watch != nil else { return }
        failing.remove(device)
        book.end(device: device, attempt: overdue.attempt)
        switch outcome {
        case .confirmed: reply(.confirmed(device: device))
        case .absent:
            logger.info(
                "the guardian has nothing to stop: the device is no longer connected",
                metadata: ["device": "\(device)"])
        case .unconfirmed(let reason):
            abandon(
                device, reason, "the bridge sends nothing, and the motion could not be stopped: keep away")
            reply(.unconfirmed(device: device))
        }
    }

    /// Starts to carry out a will, as the bridge requested with `carry-out`.
    func handOver(_ will: LinkWill) {
        book.handOver(will)
        isFileStale = true
        logger.warning(
            "the bridge handed over a device: the guardian makes it safe",
            metadata: ["device": "\(will.device)"])
        spawn { guardian in
            let outcome = await guardian.carryOut(will) { guardian.book.isHandedOver(will) }
            switch outcome {
            case .confirmed: guardian.reply(.confirmed(device: will.device))
            case .unconfirmed: guardian.reply(.unconfirmed(device: will.device))
            case .absent, nil: break
            }
            guardian.reply(.finished(device: will.device))
        }
    }

    /// Makes every device safe after the bridge's death, and closes the links, which bluetoothd might keep.
    func carryOutAll() {
        let wills = book.kept
        guard !wills.isEmpty else {
            return logger.debug("the bridge has exited; no device has to be made safe")
        }
        farewell = Farewell(devices: wills.count)
        for will in wills {
            spawn { guardian in _ = await guardian.carryOut(will) { true } }
        }
    }

    /// Makes a device safe, then closes its link.
    ///
    /// A will that could not be carried out stays in the file for `ExecStopPost` or the next bridge.
    private func carryOut(_ will: LinkWill, while isWanted: () -> Bool) async -> WillExecution.Outcome? {
        guard let connection = await openConnection() else {
            settle(will, .unconfirmed("the D-Bus daemon is unavailable"))
            return .unconfirmed("the D-Bus daemon is unavailable")
        }
        let writer = WillWriter(connection: connection, logger: logger)
        let execution = WillExecution(will.writes, end: EventLoop.now + options.time)
        let outcome = await writer.carryOut(execution, of: will) { _ in
            read()
            return isWanted()
        }
        guard let outcome else { return nil }
        settle(will, outcome)
        if outcome != .absent { await writer.closeLink(of: will) }
        return outcome
    }

    private func settle(_ will: LinkWill, _ outcome: WillExecution.Outcome) {
        if case .unconfirmed(let reason) = outcome {
            farewell?.failures += 1
            abandon(
                will.device, reason,
                will.writes.isEmpty
                    ? "the device could not be disconnected"
                    : "the device could not be made safe: keep away from it")
        } else {
            book.settle(device: will.device)
            isFileStale = true
            writeFile()
        }
        farewell?.count()
        guard let done = farewell, done.isOver else { return }
        farewell = nil
        logger.warning(
            done.failures == 0
                ? "the bridge has exited; its devices were made safe"
                : "the bridge has exited; not all of its devices could be made safe",
            metadata: [
                "devices": "\(done.devices)", "failures": "\(done.failures)",
                "elapsed_ms": "\(Int((EventLoop.now - done.start) / .milliseconds(1)))",
            ])
    }

    private func abandon(_ device: String, _ reason: String, _ words: Logger.Message) {
        logger.error(words, metadata: ["device": "\(device)", "reason": "\(reason)"])
    }
}

/// How far the guardian has carried out the wills after the bridge's death.
struct Farewell: Sendable {
    /// The number of devices that had a will when the bridge died.
    let devices: Int
    /// The number of devices that could not be made safe.
    var failures = 0
    /// The time at which the guardian noticed the bridge's death.
    let start = EventLoop.now
    private var open: Int

    init(devices: Int) {
        self.devices = devices
        open = devices
    }

    /// Whether the work on every device has ended, whether or not the device is safe.
    var isOver: Bool { open == 0 }

    mutating func count() { open -= 1 }
}
