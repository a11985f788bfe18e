import Bluetooth
import BridgeContract
import BridgeParts
import Claims
import DeviceKit
import Logging

// Operations on the Bluetooth connection, and their results.
extension DeviceSession {
    var link: (any DeviceLink)? { driver?.link }
    var hasWrites: Bool { driver?.hasWrites ?? false }

    func add(_ operation: LinkOperation) {
        // The operation is not completed with an error: a state machine that retries at once would loop forever.
        guard let dropped = driver?.add(operation) else {
            return logger.debug("an operation is dropped, because the device has no connection")
        }
        for input in dropped { feed(input) }
    }

    /// Starts the operations that can start now.
    func startOperations() {
        if let link {
            let now = now
            while let ticket = driver?.next(at: now) { start(ticket, on: link) }
        }
        guard connector.hasSaidGoodbye, !hasWrites else { return }
        if life > .open { finishClosing() } else { finishParting() }
    }

    private func start(_ ticket: LinkDriver.Ticket, on link: any DeviceLink) {
        record(.begun(ticket.operation))
        logStart(of: ticket.operation)
        let callback = OperationCallback(ticket: ticket, enter: context.enter)
        let mayBeCalledOff = isSafetyCritical && ticket.operation.priority != .stop
        // A closure that captures a single object needs no allocation, so each of the two closures captures only
        // `callback`.
        let isWanted: @Sendable () -> Bool = if mayBeCalledOff { { callback.isWanted } } else { { true } }
        link.perform(ticket.operation, while: isWanted) { callback.ended($0) }
    }

    /// What a link calls about an operation in progress: before the value is sent, and at the end.
    private final class OperationCallback: Sendable {
        private let ticket: LinkDriver.Ticket
        private let enter: Entrance

        init(ticket: LinkDriver.Ticket, enter: Entrance) { (self.ticket, self.enter) = (ticket, enter) }

        var isWanted: Bool { enter { $0.isWanted(self.ticket) } ?? false }

        func ended(_ result: Result<[UInt8], OperationError>) {
            enter { session in
                if session.driver?.isStarting ?? false || result.isLossOfLink {
                    // The result is handled in a later turn, after the other operations of this batch are sent. If the
                    // connection was lost, its loss is also handled first.
                    session.spawn { $0.finished(self.ticket, result) }
                } else {
                    session.finished(self.ticket, result)
                }
            }
        }
    }

    /// Whether an operation may still be sent. If the process was stalled between the decision to write and the write,
    /// an old decision must not move anything.
    private func isWanted(_ ticket: LinkDriver.Ticket) -> Bool {
        context.time.checkForStall()
        return driver?.isWanted(ticket) ?? false
    }

    private func finished(_ ticket: LinkDriver.Ticket, _ result: Result<[UInt8], OperationError>) {
        guard let completion = driver?.finished(ticket, result, at: now) else { return }
        record(.ended(ticket.operation, result))
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

    // MARK: Emergency stops

    /// How long the writes of a stop may take before the request times out.
    private static let haltTime = Duration.seconds(2)

    /// Stops everything that the device does (`all/stop/set`), and answers when the stop is written. If this bridge
    /// holds the Bluetooth connection, it writes the stop even if another bridge owns the device. While the device is
    /// disconnected, there is nothing to write, and the stop only cancels waiting commands.
    func halt(_ request: CommandRequest) {
        desk.voidAll(before: request.arrival)
        feed(.stop(.allStop))
        guard let collector = request.collector else { return }
        guard link != nil, life < .finished else {
            return context.collected(
                ownership.isStandby ? nil : .failed(.deviceOffline, offlineMessage), collector)
        }
        awaitStop { [context] in context.collected($0, collector) }
        settleStops()
    }

    /// Drops the operations that the state machine has requested, because the bridge was delayed, and refuses commands
    /// until the bridge has caught up.
    func quarantine() {
        desk.quarantine(at: now)
        driver?.callOff()
    }

    /// Returns when all stops of the device are written, or after `haltTime`.
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

    /// Answers all requests that wait for a stop, because nothing more will be written.
    func answerStops(_ answer: Answer) { self.answer(driver?.takeStops() ?? [], answer) }

    func answer(_ waiters: [LinkDriver.StopWaiter], _ answer: Answer) {
        clock.cancel(.halt)
        for waiter in waiters { waiter.finish(answer) }
    }
}

extension Result<[UInt8], OperationError> {
    /// Whether the operation failed because the Bluetooth connection was lost.
    fileprivate var isLossOfLink: Bool {
        if case .failure(let error) = self { error.code == .disconnected } else { false }
    }
}
