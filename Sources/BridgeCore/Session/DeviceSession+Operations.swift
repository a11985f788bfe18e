import Bluetooth
import DeviceKit
import Logging

// What the device's state machine wants done on the link.
extension DeviceSession {
    func add(_ operation: LinkOperation) {
        // Not completed: a state machine that tries again at once would never come to an end.
        guard let dropped = linked?.operations.add(operation) else {
            return logger.debug("an operation without a link is dropped")
        }
        for dropped in dropped {
            complete(dropped, OperationError(.failed, "dropped: a stop came first, or too much waited"))
        }
    }

    /// Starts the operations that may start now.
    func startOperations() {
        guard let link else { return }
        let (number, epoch, enter) = (linkNumber, stallEpoch, world.enter)
        isStarting = true
        for operation in linked?.operations.start() ?? [] {
            let begin = now
            link.perform(operation) {
                enter { $0.isWanted(operation, since: epoch) } ?? false
            } then: { result in
                enter { session in
                    if session.isStarting || result.isLossOfLink {
                        // Not yet: what was started beside it goes out first, and the end of the link is told first.
                        session.spawn {
                            $0.finished(operation, result, since: begin, ofLink: number, epoch)
                        }
                    } else {
                        session.finished(operation, result, since: begin, ofLink: number, epoch)
                    }
                }
            }
        }
        isStarting = false
        guard wantsDisconnect, !hasWrites else { return }
        if life > .open { finishClosing() } else if isParting { finishParting() }
    }

    /// Whether an operation goes out after all: a process that stood still between the decision and the write must
    /// not move anything by what it decided before.
    private func isWanted(_ operation: LinkOperation, since epoch: Int) -> Bool {
        guard family.requirements.isSafetyCritical, operation.priority != .stop else { return true }
        world.time.checkForStall()
        return epoch == stallEpoch
    }

    private func finished(
        _ operation: LinkOperation, _ result: Result<[UInt8], OperationError>,
        since begin: Duration, ofLink number: Int, _ epoch: Int
    ) {
        guard number == linkNumber, link != nil else { return }
        linked?.operations.finished(operation)
        if epoch != stallEpoch, operation.isWrite, operation.priority != .stop,
            case .failure = result
        {
            complete(
                operation, OperationError(.failed, "dropped: the bridge stood still before it was written"))
            return settleStopWaiters(nil)
        }
        if operation.isWrite, case .success = result {
            desk.measured(write: now - begin)
            if case .write(let write) = operation, write.kind == .withResponse { linkProved() }
        }
        switch operation {
        case .write(let write):
            if case .failure = result {
                linked?.failedWrites.insert(write.characteristic)
            } else {
                linked?.failedWrites.remove(write.characteristic)
            }
            feed(.writeCompleted(write.token, write.characteristic, result.map { _ in }))
        case .read(let id): feed(.readCompleted(id, result))
        case .subscribe(let id): feed(.subscribed(id, result.map { _ in }))
        case .unsubscribe: startOperations()
        }
        if operation.isWrite {
            counters.count(write: result)
            settleStopWaiters(result)
        }
    }

    private func complete(_ operation: LinkOperation, _ error: OperationError) {
        switch operation {
        case .write(let write): feed(.writeCompleted(write.token, write.characteristic, .failure(error)))
        case .read(let id): feed(.readCompleted(id, .failure(error)))
        case .subscribe(let id): feed(.subscribed(id, .failure(error)))
        case .unsubscribe: break
        }
    }
}

extension Result<[UInt8], OperationError> {
    /// Whether it failed because the link is gone.
    fileprivate var isLossOfLink: Bool {
        if case .failure(let error) = self { error.code == .disconnected } else { false }
    }
}
