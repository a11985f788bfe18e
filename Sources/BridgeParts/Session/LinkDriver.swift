package import Bluetooth
package import BridgeContract
package import DeviceKit

/// Drives one link: puts in order what the state machine asks of it, and says what follows from the end of each
/// operation.
package struct LinkDriver {
    /// An operation that was started.
    package struct Ticket: Sendable {
        package let operation: LinkOperation
        fileprivate let begin: Duration
        fileprivate let link: Int
        fileprivate let epoch: Int
        /// Of which attempt to prove the link it is the read; nil for an operation of the state machine.
        fileprivate let proof: Int?
    }

    /// What follows from the end of an operation.
    package struct Completion {
        /// What the state machine is told.
        package var input: Input?
        /// How a write ended; nil for another operation, and for a write that was called off.
        package var write: Result<[UInt8], OperationError>?
        /// How long a write took that went well.
        package var writeTime: Duration?
        /// What it says of the link that has to prove itself.
        package var proof: ProofResult?
    }

    package enum ProofResult { case answered, failed }

    /// What waits until a stop is written.
    package struct StopWaiter {
        fileprivate let done: (Answer) -> Void
        fileprivate var failure: OperationError?

        /// Answers; where a write of the stop failed, that it did.
        package func finish(_ answer: Answer) {
            done(failure.map { .failed(.deviceError, $0.message) } ?? answer)
        }
    }

    package let link: any DeviceLink
    /// Which of the session's links it is.
    package let number: Int
    /// The characteristics whose last write failed.
    package private(set) var failedWrites: Set<CharacteristicID> = []
    /// Whether operations are being started: what is done at once is told afterwards.
    package private(set) var isStarting = false
    private var operations = OperationQueue()
    /// How often the bridge stood still: what was decided before goes nowhere any more.
    private var epoch = 0
    /// The same, before the first of what is being started went out: all of it was decided by then, and the first may
    /// find that the bridge stood still.
    private var startEpoch = 0
    /// How often the device was asked to prove that the link is there; nil while it need not.
    private var proofAttempt: Int?
    private var stopWaiters: [StopWaiter] = []

    package init(_ link: any DeviceLink, number: Int) {
        self.link = link
        self.number = number
    }

    // MARK: Operations

    /// Whether a write waits or is under way.
    package var hasWrites: Bool { operations.hasWrites }

    /// Adds an operation.
    ///
    /// - Returns: What the state machine is told of those that are given up for it.
    package mutating func add(_ operation: LinkOperation) -> [Input] {
        let error = OperationError(.failed, "dropped: a stop came first, or too much waited")
        return operations.add(operation).compactMap { Self.input($0, .failure(error)) }
    }

    /// Takes the next operation that can start now; nil if none can, and all that were taken are on their way.
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

    /// Makes what was decided so far go nowhere any more, except for stops.
    package mutating func callOff() { epoch += 1 }

    /// Whether an operation is of this link, and was not called off since it was started.
    package func isWanted(_ ticket: Ticket) -> Bool {
        ticket.link == number && (ticket.epoch == epoch || ticket.operation.priority == .stop)
    }

    /// Takes the end of an operation; returns nothing for one of an earlier link.
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
            let error = OperationError(.failed, "dropped: the bridge stood still before it was written")
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

    /// Waits until everything that stops the device is written.
    package mutating func awaitStop(_ done: @escaping (Answer) -> Void) {
        stopWaiters.append(StopWaiter(done: done))
    }

    /// Takes what waits for a stop, if nothing is to be written any more.
    package mutating func takeSettledStops() -> [StopWaiter] { hasWrites ? [] : takeStops() }

    /// Takes what waits for a stop.
    package mutating func takeStops() -> [StopWaiter] {
        guard !stopWaiters.isEmpty else { return [] }
        defer { stopWaiters = [] }
        return stopWaiters
    }
}

// The proof that the link is there: the device answers.
extension LinkDriver {
    /// How often the device is asked.
    private static let attempts = 2

    /// Whether the link has to prove itself.
    package var isProving: Bool { proofAttempt != nil }

    /// Asks the device for an answer.
    ///
    /// - Returns: False where nothing can be read: as far as the host knows, it is connected.
    package mutating func askForProof() -> Bool {
        proofAttempt = (proofAttempt ?? 0) + 1
        let properties = link.profile.characteristics
        let readable = properties.filter { $0.value.contains(.read) }.keys
        // Best one that nothing is written to, so that no write has to wait for the read.
        let quiet = readable.filter {
            properties[$0]?.isDisjoint(with: [.write, .writeWithoutResponse]) ?? false
        }
        let choice = quiet.isEmpty ? Array(readable) : quiet
        guard let id = choice.min(by: { $0.description < $1.description }) else { return false }
        operations.addProof(id)
        return true
    }

    /// The device did not answer.
    ///
    /// - Returns: Whether to ask it once more; nil if the link need not prove itself.
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
    /// Whether it is the device that refused: then it is there.
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
