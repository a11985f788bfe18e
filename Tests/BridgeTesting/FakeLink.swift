public import Bluetooth
public import BridgeContract
public import DeviceKit
import Synchronization

/// A link to a device that a test plays: it sees every operation, answers it, and tells what the device says.
public final class FakeLink: DeviceLink {
    /// One operation, as the device sees it.
    public enum Operation: Hashable, Sendable {
        case read(CharacteristicID)
        case write(CharacteristicID, [UInt8], Write.Kind)
        /// A subscription.
        case subscribe(CharacteristicID)
        /// The end of a subscription.
        case unsubscribe(CharacteristicID)

        /// The characteristic.
        public var characteristic: CharacteristicID {
            switch self {
            case .read(let id), .write(let id, _, _), .subscribe(let id), .unsubscribe(let id): id
            }
        }
    }

    private typealias Outcome = Result<[UInt8], OperationError>
    private typealias Waiter = @Sendable (Outcome) -> Void

    private struct State {
        var operations: [Operation] = []
        var waiting: [(operation: Operation, waiter: Waiter)] = []
        var isHolding = false
        var values: [CharacteristicID: [UInt8]] = [:]
        var failures: [CharacteristicID: OperationError] = [:]
        var isLost = false
        var disconnects = 0
        var leaves = 0
        var isSilent = false
        var isSettled = false
        var isSlowToClose = false
        var closers: [CheckedContinuation<Void, Never>] = []
    }

    /// The device.
    public let address: Address
    /// The GATT table.
    public let profile: LinkProfile
    /// The adapter.
    public let adapter: String
    /// Where it would be if it were BlueZ's.
    public let place: LinkPlace
    private let executor: ManualExecutor
    private let handler: @Sendable (LinkEvent) -> Void
    private let state = Mutex(State())

    init(
        address: Address, profile: LinkProfile, adapter: String, executor: ManualExecutor,
        handler: @escaping @Sendable (LinkEvent) -> Void
    ) {
        self.address = address
        self.profile = profile
        self.adapter = adapter
        place = LinkPlace(
            device: "/\(adapter)/\(address)",
            characteristics: Dictionary(
                uniqueKeysWithValues: profile.characteristics.keys.map {
                    ($0, "/\(adapter)/\(address)/\($0)")
                }
            ))
        self.executor = executor
        self.handler = handler
    }

    // MARK: What a test does

    /// Lets the device notify a value.
    public func notify(_ characteristic: CharacteristicID, _ value: [UInt8]) {
        executor.perform { handler(.notification(characteristic, value)) }
    }

    /// Tells anything about the link.
    public func tell(_ event: LinkEvent) { executor.perform { handler(event) } }

    /// Loses the link; what is under way fails.
    public func lose(_ reason: String = "supervision timeout") {
        executor.perform {
            let waiting = state.withLock { state in
                state.isLost = true
                defer { state.waiting = [] }
                return state.waiting
            }
            for item in waiting { item.waiter(.failure(Self.goneError)) }
            handler(.lost(reason: reason))
        }
    }

    /// Sets what a read gives.
    public func set(_ characteristic: CharacteristicID, _ value: [UInt8]) {
        state.withLock { $0.values[characteristic] = value }
    }

    /// Lets operations on a characteristic fail; nil lets them succeed again.
    public func fail(_ characteristic: CharacteristicID, _ error: OperationError?) {
        state.withLock { $0.failures[characteristic] = error }
    }

    /// Lets operations wait until ``completeNext(_:)``, or go on as usual: all that wait succeed then.
    public func setHolding(_ isHolding: Bool) {
        state.withLock { $0.isHolding = isHolding }
        while !isHolding, completeNext() {}
    }

    /// Ends the operation that waits longest; false if none does.
    @discardableResult
    public func completeNext(_ error: OperationError? = nil) -> Bool {
        guard let item = state.withLock({ $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }) else {
            return false
        }
        let outcome = error.map { Outcome.failure($0) } ?? outcome(item.operation)
        executor.perform { item.waiter(outcome) }
        return true
    }

    /// Whether a disconnect goes by without the event that follows it, as when the radio is slow.
    public func setSilent(_ isSilent: Bool) { state.withLock { $0.isSilent = isSilent } }

    /// Whether a disconnect takes until this is taken back.
    public func setSlowToClose(_ isSlow: Bool) {
        executor.perform {
            let closers = state.withLock { state in
                state.isSlowToClose = isSlow
                defer { if !isSlow { state.closers = [] } }
                return isSlow ? [] : state.closers
            }
            for closer in closers { closer.resume() }
        }
    }

    /// All operations so far, in the order in which they began.
    public var operations: [Operation] { state.withLock(\.operations) }
    /// The operations that are under way.
    public var waiting: [Operation] { state.withLock { $0.waiting.map(\.operation) } }
    /// The values that were written to a characteristic.
    public func writes(_ characteristic: CharacteristicID) -> [[UInt8]] {
        operations.compactMap { operation in
            guard case .write(characteristic, let value, _) = operation else { return nil }
            return value
        }
    }
    /// How often the bridge closed the link.
    public var disconnects: Int { state.withLock(\.disconnects) }

    // MARK: The port

    /// Notes an operation, a write only if it is wanted; a read gives what was set.
    public func perform(
        _ operation: LinkOperation, while isWanted: @escaping @Sendable () -> Bool,
        then completion: @escaping @Sendable (Result<[UInt8], OperationError>) -> Void
    ) {
        switch operation {
        case .read(let id): begin(.read(id), completion)
        case .subscribe(let id): begin(.subscribe(id), completion)
        case .unsubscribe(let id): begin(.unsubscribe(id), completion)
        case .write(let write):
            guard isWanted() else {
                return completion(.failure(OperationError(.failed, "it is not wanted any more")))
            }
            begin(.write(write.characteristic, write.value, write.kind), completion)
        }
    }

    /// Whether the bridge said that the device can be used.
    public var isSettled: Bool { state.withLock(\.isSettled) }

    /// Notes that the device can be used.
    public func settle() async { state.withLock { $0.isSettled = true } }

    /// Closes the link.
    public func disconnect() async {
        await withCheckedContinuation { waiter in
            let isSlow = state.withLock { state in
                if state.isSlowToClose { state.closers.append(waiter) }
                return state.isSlowToClose
            }
            if !isSlow { waiter.resume() }
        }
        let isNews = state.withLock { state in
            state.disconnects += 1
            return !state.isLost && !state.isSilent
        }
        if isNews { lose("closed by the host") }
    }

    /// How often the bridge left the link to others.
    public var leaves: Int { state.withLock(\.leaves) }

    /// Leaves the link to others.
    public func leave() async {
        state.withLock { $0.leaves += 1 }
        lose("left to the system")
    }

    private static let goneError = OperationError(.disconnected, "the link is gone")

    private func begin(_ operation: Operation, _ waiter: @escaping Waiter) {
        let isHeld = state.withLock { state in
            state.operations.append(operation)
            if state.isHolding, !state.isLost { state.waiting.append((operation, waiter)) }
            return state.isHolding && !state.isLost
        }
        guard !isHeld else { return }
        let outcome = outcome(operation)
        executor.later { waiter(outcome) }
    }

    private func outcome(_ operation: Operation) -> Outcome {
        state.withLock { state in
            if state.isLost { return .failure(Self.goneError) }
            if let error = state.failures[operation.characteristic] { return .failure(error) }
            guard case .read(let id) = operation else { return .success([]) }
            return .success(state.values[id] ?? [])
        }
    }
}
