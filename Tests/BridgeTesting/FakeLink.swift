public import Bluetooth
public import BridgeContract
public import DeviceKit
import Synchronization

/// A connection to a device that a test plays. The test inspects and answers every operation, and sends events.
public final class FakeLink: DeviceLink {
    /// An operation from the device's point of view.
    public enum Operation: Hashable, Sendable {
        case read(CharacteristicID)
        case write(CharacteristicID, [UInt8], Write.Kind)
        /// A subscription to notifications.
        case subscribe(CharacteristicID)
        /// The end of a subscription.
        case unsubscribe(CharacteristicID)

        /// The characteristic of the operation.
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

    /// The address of the device.
    public let address: Address
    /// The GATT table and the other properties of the connection.
    public let profile: LinkProfile
    /// The name of the adapter.
    public let adapter: String
    /// The place of the link: the object paths that it would have in BlueZ, or the proxy.
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
        place =
            AdapterName.isProxy(adapter)
            ? LinkPlace(proxy: adapter, address: address)
            : LinkPlace(
                device: "/\(adapter)/\(address)",
                characteristics: Dictionary(
                    uniqueKeysWithValues: profile.characteristics.keys.map {
                        ($0, "/\(adapter)/\(address)/\($0)")
                    }
                ))
        self.executor = executor
        self.handler = handler
    }

    // MARK: Actions of a test

    /// Sends a notification from the device.
    public func notify(_ characteristic: CharacteristicID, _ value: [UInt8]) {
        executor.perform { handler(.notification(characteristic, value)) }
    }

    /// Sends any event of the link.
    public func tell(_ event: LinkEvent) { executor.perform { handler(event) } }

    /// Loses the connection. Operations in progress fail.
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

    /// Sets the value of a characteristic for reads.
    public func set(_ characteristic: CharacteristicID, _ value: [UInt8]) {
        state.withLock { $0.values[characteristic] = value }
    }

    /// Sets the error of operations on a characteristic; nil lets them succeed again.
    public func fail(_ characteristic: CharacteristicID, _ error: OperationError?) {
        state.withLock { $0.failures[characteristic] = error }
    }

    /// Makes operations wait for ``completeNext(_:)``. With `false`, all waiting operations succeed.
    public func setHolding(_ isHolding: Bool) {
        state.withLock { $0.isHolding = isHolding }
        while !isHolding, completeNext() {}
    }

    /// Completes the operation that has waited longest; returns false if none waits.
    @discardableResult
    public func completeNext(_ error: OperationError? = nil) -> Bool {
        guard let item = state.withLock({ $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }) else {
            return false
        }
        let outcome = error.map { Outcome.failure($0) } ?? outcome(item.operation)
        executor.perform { item.waiter(outcome) }
        return true
    }

    /// Suppresses the event that follows a disconnect, like a slow radio.
    public func setSilent(_ isSilent: Bool) { state.withLock { $0.isSilent = isSilent } }

    /// Delays disconnects until this is set to `false`.
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

    /// All operations so far, in the order of their start.
    public var operations: [Operation] { state.withLock(\.operations) }
    /// The operations in progress.
    public var waiting: [Operation] { state.withLock { $0.waiting.map(\.operation) } }
    /// Returns the values that were written to a characteristic.
    public func writes(_ characteristic: CharacteristicID) -> [[UInt8]] {
        operations.compactMap { operation in
            guard case .write(characteristic, let value, _) = operation else { return nil }
            return value
        }
    }
    /// The number of disconnects by the bridge.
    public var disconnects: Int { state.withLock(\.disconnects) }

    // MARK: Port

    /// Records an operation; a write only if `isWanted` returns true. A read returns the value that was set.
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
                return completion(.failure(OperationError(.failed, "the operation is no longer needed")))
            }
            begin(.write(write.characteristic, write.value, write.kind), completion)
        }
    }

    /// Whether the bridge reported that the device is online.
    public var isSettled: Bool { state.withLock(\.isSettled) }

    /// Records that the device is online.
    public func settle() async { state.withLock { $0.isSettled = true } }

    /// Disconnects the device.
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

    /// How often the bridge left the connection to others.
    public var leaves: Int { state.withLock(\.leaves) }

    /// Leaves the connection to others.
    public func leave() async {
        state.withLock { $0.leaves += 1 }
        lose("left to the system")
    }

    private static let goneError = OperationError(.disconnected, "the link has ended")

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
