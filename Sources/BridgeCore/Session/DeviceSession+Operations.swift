import Bluetooth
import DeviceKit
import Logging

// What goes out on the link, and what comes of it.
extension DeviceSession {
    var link: (any DeviceLink)? { driver?.link }
    var hasWrites: Bool { driver?.hasWrites ?? false }

    func add(_ operation: LinkOperation) {
        // Not completed: a state machine that tries again at once would never come to an end.
        guard let dropped = driver?.add(operation) else {
            return logger.debug("an operation without a link is dropped")
        }
        for input in dropped { feed(input) }
    }

    /// Starts the operations that may start now.
    func startOperations() {
        guard let link, let tickets = driver?.start(at: now) else { return }
        for ticket in tickets { start(ticket, on: link) }
        driver?.started()
        guard connector.hasSaidGoodbye, !hasWrites else { return }
        if life > .open { finishClosing() } else { finishParting() }
    }

    private func start(_ ticket: LinkDriver.Ticket, on link: any DeviceLink) {
        tape(.begun(ticket.operation))
        logStart(of: ticket.operation)
        link.perform(ticket.operation) { [enter = world.enter] in
            enter { $0.isWanted(ticket) } ?? false
        } then: { [enter = world.enter] result in
            enter { session in
                if session.driver?.isStarting ?? false || result.isLossOfLink {
                    // Not yet: what was started beside it goes out first, and the end of the link is told first.
                    session.spawn { $0.finished(ticket, result) }
                } else {
                    session.finished(ticket, result)
                }
            }
        }
    }

    /// Whether an operation goes out after all: a process that stood still between the decision and the write must
    /// not move anything by what it decided before.
    private func isWanted(_ ticket: LinkDriver.Ticket) -> Bool {
        guard isSafetyCritical, ticket.operation.priority != .stop else { return true }
        world.time.checkForStall()
        return driver?.isWanted(ticket) ?? false
    }

    private func finished(_ ticket: LinkDriver.Ticket, _ result: Result<[UInt8], OperationError>) {
        guard let completion = driver?.finished(ticket, result, at: now) else { return }
        tape(.ended(ticket.operation, result))
        logEnd(of: ticket.operation, result)
        if let time = completion.writeTime { desk.measured(write: time) }
        switch completion.proof {
        case .answered: linkProved()
        case .failed: proofFailed()
        case nil: break
        }
        if let input = completion.input { feed(input) } else { advance() }
        if let write = completion.write { counters.count(write: write) }
        if ticket.operation.isWrite { settleStops() }
    }

    // MARK: Stops of everything

    /// How long the writes of a stop may take before it is said that they did not end.
    private static let haltTime = Duration.seconds(2)

    /// Stops whatever the device does (`all/stop/set`), and answers when that is written. A link that this bridge holds
    /// is used whichever bridge speaks for the device; without one only what waits is given up.
    func halt(_ request: CommandRequest) {
        desk.voidAll(before: request.arrival)
        feed(.stop(.allStop))
        guard let collector = request.collector else { return }
        guard link != nil, life < .finished else {
            return world.collected(
                ownership.isSilent ? nil : .failed(.deviceOffline, offlineMessage), collector)
        }
        awaitStop { [world] in world.collected($0, collector) }
        settleStops()
    }

    /// Makes void what was decided so far, and what arrives until the bridge has caught up.
    func quarantine() {
        desk.quarantine(at: now)
        driver?.callOff()
    }

    /// Returns when everything that stops the device is written, or that took too long.
    func halted() async {
        guard hasWrites else { return }
        await withCheckedContinuation { continuation in
            if hasWrites { awaitStop { _ in continuation.resume() } } else { continuation.resume() }
        }
    }

    private func awaitStop(_ done: @escaping (Answer) -> Void) {
        driver?.awaitStop(done)
        startTimer(.halt, at: now + Self.haltTime)
    }

    private func settleStops() {
        guard let waiters = driver?.takeSettledStops(), !waiters.isEmpty else { return }
        answer(waiters, machine.isStopCertain ? .ok : .unconfirmed)
    }

    /// Answers all that waits for a stop: there is nothing more to wait for.
    func answerStops(_ answer: Answer) { self.answer(driver?.takeStops() ?? [], answer) }

    func answer(_ waiters: [LinkDriver.StopWaiter], _ answer: Answer) {
        clock.cancel(.halt)
        for waiter in waiters { waiter.finish(answer) }
    }
}

extension Result<[UInt8], OperationError> {
    /// Whether it failed because the link is gone.
    fileprivate var isLossOfLink: Bool {
        if case .failure(let error) = self { error.code == .disconnected } else { false }
    }
}
