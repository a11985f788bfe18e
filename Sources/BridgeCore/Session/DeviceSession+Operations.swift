import DeviceKit
import Logging

// What the device's state machine wants done on the link.
extension DeviceSession {
    func add(_ operation: OperationQueue.Operation) {
        // Not completed: a state machine that tries again at once would never come to an end.
        guard link != nil else { return logger.debug("an operation without a link is dropped") }
        for dropped in operations.add(operation) {
            complete(dropped, OperationError(.failed, "dropped: a stop came first, or too much waited"))
        }
    }

    /// Starts the operations that may start now.
    func startOperations() {
        guard let link else { return }
        let (number, standstill) = (linkNumber, standstills)
        for operation in operations.start() {
            let begin = now
            spawn { [weak self] in
                let result = await link.perform(operation) { [weak self] in
                    self?.assumeIsolated { $0.isWanted(operation, since: standstill) } ?? false
                }
                await self?.finished(operation, result, since: begin, ofLink: number, standstill)
            }
        }
        guard wantsDisconnect, !operations.hasWrites else { return }
        if isClosing { finishClosing() } else if isParting { finishParting() }
    }

    /// Whether an operation goes out after all: a process that stood still between the decision and the write must
    /// not move anything by what it decided before.
    private func isWanted(_ operation: OperationQueue.Operation, since standstill: Int) -> Bool {
        guard family.requirements.isUrgent, operation.priority != .stop else { return true }
        world.time.feelLateness()
        return standstill == standstills
    }

    private func finished(
        _ operation: OperationQueue.Operation, _ result: Result<[UInt8], OperationError>,
        since begin: Duration, ofLink number: Int, _ standstill: Int
    ) {
        guard number == linkNumber, link != nil else { return }
        operations.finished(operation)
        if standstill != standstills, operation.isWrite, operation.priority != .stop,
            case .failure = result
        {
            complete(
                operation, OperationError(.failed, "dropped: the bridge stood still before it was written"))
            return settleHalts(nil)
        }
        if operation.isWrite, case .success = result {
            latency.add(now - begin)
            if case .write(let write) = operation, write.kind == .withResponse { linkProved() }
        }
        switch operation {
        case .write(let write):
            if case .failure = result {
                failedWrites.insert(write.characteristic)
            } else {
                failedWrites.remove(write.characteristic)
            }
            feed(.writeCompleted(write.token, write.characteristic, result.map { _ in }))
        case .read(let id): feed(.readCompleted(id, result))
        case .subscribe(let id): feed(.subscribed(id, result.map { _ in }))
        case .unsubscribe: startOperations()
        }
        if operation.isWrite {
            counters.count(write: result)
            settleHalts(result)
        }
    }

    private func complete(_ operation: OperationQueue.Operation, _ error: OperationError) {
        switch operation {
        case .write(let write): feed(.writeCompleted(write.token, write.characteristic, .failure(error)))
        case .read(let id): feed(.readCompleted(id, .failure(error)))
        case .subscribe(let id): feed(.subscribed(id, .failure(error)))
        case .unsubscribe: break
        }
    }
}

extension DeviceLink {
    /// Carries out one operation; a read gives its value, the others nothing.
    fileprivate func perform(
        _ operation: OperationQueue.Operation, while isWanted: @escaping @Sendable () -> Bool
    ) async -> Result<[UInt8], OperationError> {
        do throws(OperationError) {
            switch operation {
            case .write(let write):
                try await self.write(write.value, to: write.characteristic, write.kind, while: isWanted)
            case .read(let id): return .success(try await read(id))
            case .subscribe(let id): try await subscribe(id)
            case .unsubscribe(let id): try await unsubscribe(id)
            }
            return .success([])
        } catch {
            return .failure(error)
        }
    }
}
