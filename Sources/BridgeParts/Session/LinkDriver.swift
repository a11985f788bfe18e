package import Bluetooth
package import BridgeContract
package import DeviceKit

/// Drives one link: puts the operations that the state machine requests into order, and turns their results into inputs
/// for the state machine.
package struct LinkDriver {
    /// An operation that was started on a link. The caller passes the ticket back when the operation ends.
    package struct Ticket: Sendable {
        package let operation: LinkOperation
        fileprivate let begin: Duration
        fileprivate let link: Int
        fileprivate let epoch: Int
        /// If the operation is a read that proves the link, the number of this read; nil for an operation of the state
        /// machine.
        fileprivate let proof: Int?
    }

    /// What a completed operation means for the session.
    package struct Completion {
        /// What the state machine receives about the operation; nil if it receives nothing.
        package var input: Input?
        /// The result of a write; nil for another operation, and for a write that was dropped by
        /// ``LinkDriver/callOff()``.
        package var write: Result<[UInt8], OperationError>?
        /// The duration of a successful write.
        package var writeTime: Duration?
        /// The result of the read that proves the link; see ``LinkDriver/isProving``.
        package var proof: ProofResult?
    }

    package enum ProofResult { case answered, failed }

    /// A callback that waits until a stop is written.
    package struct StopWaiter {
        fileprivate let done: (Answer) -> Void
        fileprivate var failure: OperationError?

        /// Calls back with the answer, or with an error if a write of the stop failed.
        package func finish(_ answer: Answer) {
            done(failure.map { .failed(.deviceError, $0.message) } ?? answer)
        }
    }

    package let link: any DeviceLink
    /// The number of the link within the session.
    package let number: Int
    /// The characteristics whose last write failed.
    package private(set) var failedWrites: Set<CharacteristicID> = []
    /// Whether operations are being started. The results of operations that complete immediately are delivered
    /// afterwards.
    package private(set) var isStarting = false
    private var operations = OperationQueue()
    /// The number of stalls (delays) of the bridge. Operations that the state machine requested before a stall are
    /// dropped.
    private var epoch = 0
    /// The value of ``epoch`` when the current batch of operations started. The whole batch was requested by that time,
    /// and its first operation may detect a stall.
    private var startEpoch = 0
    /// The number of reads that were sent to prove the link; nil if no proof is under way.
    private var proofAttempt: Int?
    private var stopWaiters: [StopWaiter] = []

    package init(_ link: any DeviceLink, number: Int) {
        self.link = link
        self.number = number
    }

    // MARK: Operations

    /// Whether a write waits or is under way.
    package var hasWrites: Bool { operations.hasWrites }

    /// Queues an operation.
    ///
    /// - Returns: The inputs for operations that are dropped in favor of the new operation.
    package mutating func add(_ operation: LinkOperation) -> [Input] {
        let error = OperationError(.failed, "dropped: a stop came first, or the queue was full")
        return operations.add(operation).compactMap { Self.input($0, .failure(error)) }
    }

    /// Returns the next operation that can start; nil if there is none, which ends the current batch.
    package mutating func next(at now: Duration) -> Ticket? {
        guard let operation = operations.next() else {
            isStarting = false
            return nil
        }
        if !isStarting { (isStarting, startEpoch) = (true, epoch) }
        let isProof = operations.isProofUnderWay && operation.priority == .normal
        return Ticket(
            operation: operation, begin: now, link: number, epoch: startEpoch,
            proof: isProof ? proofAttempt ?? 0 : nil)
    }

    /// Drops the operations that the state machine has requested so far, except stops, because the bridge was delayed.
    package mutating func callOff() { epoch += 1 }

    /// Whether the result of an operation still matters: it belongs to this link and was not dropped by ``callOff()``.
    package func isWanted(_ ticket: Ticket) -> Bool {
        ticket.link == number && (ticket.epoch == epoch || ticket.operation.priority == .stop)
    }

    /// Handles the end of an operation; returns nil for an operation of an earlier link.
    package mutating func finished(
        _ ticket: Ticket, _ result: Result<[UInt8], OperationError>, at now: Duration
    ) -> Completion? {
        guard ticket.link == number else { return nil }
        let operation = ticket.operation
        operations.finished(operation)
        if let attempt = ticket.proof { return Completion(proof: judge(result, ofAttempt: attempt)) }
        guard case .write(let write) = operation else {
            let isAnswer = if case .read = operation { result.isSuccess } else { false }
            return Completion(input: Self.input(operation, result), proof: isAnswer ? .answered : nil)
        }
        guard result.isSuccess else { return failed(write, ticket, result) }
        failedWrites.remove(write.characteristic)
        return Completion(
            input: Self.input(operation, result), write: result, writeTime: now - ticket.begin,
            proof: write.kind == .withResponse ? .answered : nil)
    }

    private mutating func failed(
        _ write: Write, _ ticket: Ticket, _ result: Result<[UInt8], OperationError>
    ) -> Completion {
        guard isWanted(ticket) else {
            let error = OperationError(.failed, "dropped: the bridge was delayed before the write")
            return Completion(input: Self.input(ticket.operation, .failure(error)))
        }
        failedWrites.insert(write.characteristic)
        if case .failure(let error) = result {
            for index in stopWaiters.indices where stopWaiters[index].failure == nil {
                stopWaiters[index].failure = error
            }
        }
        return Completion(input: Self.input(ticket.operation, result), write: result)
    }

    private static func input(
        _ operation: LinkOperation, _ result: Result<[UInt8], OperationError>
    ) -> Input? {
        switch operation {
        case .write(let write): .writeCompleted(write.token, write.characteristic, result.map { _ in })
        case .read(let id): .readCompleted(id, result)
        case .subscribe(let id): .subscribed(id, result.map { _ in })
        case .unsubscribe: nil
        }
    }

    // MARK: Stops

    /// Calls back when no write is pending any longer, so that every write that stops the device has ended.
    package mutating func awaitStop(_ done: @escaping (Answer) -> Void) {
        stopWaiters.append(StopWaiter(done: done))
    }

    /// Removes and returns the stop waiters, if no writes are pending.
    package mutating func takeSettledStops() -> [StopWaiter] { hasWrites ? [] : takeStops() }

    package mutating func takeStops() -> [StopWaiter] {
        guard !stopWaiters.isEmpty else { return [] }
        defer { stopWaiters = [] }
        return stopWaiters
    }
}

// The proof of a link: the bridge reads a characteristic, and an answer of the device proves that the link exists.
extension LinkDriver {
    /// The maximum number of reads for one proof.
    private static let attempts = 2

    /// Whether a read is under way that proves the link.
    package var isProving: Bool { proofAttempt != nil }

    /// Queues a read to prove the link.
    ///
    /// - Returns: False if the device has no readable characteristic, so that no read can prove the link.
    package mutating func askForProof() -> Bool {
        proofAttempt = (proofAttempt ?? 0) + 1
        let properties = link.profile.characteristics
        let readable = properties.filter { $0.value.contains(.read) }.keys
        // Prefer a characteristic without writes, so that no write waits for the read.
        let quiet = readable.filter {
            properties[$0]?.isDisjoint(with: [.write, .writeWithoutResponse]) ?? false
        }
        let choice = quiet.isEmpty ? Array(readable) : quiet
        guard let id = choice.min(by: { $0.description < $1.description }) else { return false }
        operations.addProof(id)
        return true
    }

    /// Decides what to do after a read to which the device did not answer.
    ///
    /// - Returns: Whether to read once more; nil if no proof is under way.
    package func wantsProofAgain() -> Bool? { proofAttempt.map { $0 < Self.attempts } }

    package mutating func endProof() {
        proofAttempt = nil
        operations.cancelProof()
    }

    private func judge(_ result: Result<[UInt8], OperationError>, ofAttempt attempt: Int) -> ProofResult? {
        if case .failure(let error) = result, !error.isAnswer {
            return attempt == proofAttempt ? .failed : nil
        }
        return .answered
    }
}

extension OperationError {
    /// Whether the error is an answer of the device, which refused the operation; such an error proves the link.
    fileprivate var isAnswer: Bool {
        switch code {
        case .notPermitted, .notSupported, .invalidLength: true
        case .timeout, .disconnected, .failed: false
        }
    }
}

extension Result {
    fileprivate var isSuccess: Bool { if case .success = self { true } else { false } }
}
