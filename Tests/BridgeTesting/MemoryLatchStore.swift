public import Bluetooth
public import BridgeContract
public import DeviceKit
import Synchronization

/// Keeps emergency stops in memory across the restarts of a test. The test decides how the disk behaves.
public final class MemoryLatchStore: LatchStore {
    /// The behavior of the disk on a change.
    public enum Disk: Hashable, Sendable {
        /// It stores the change.
        case works
        /// It rejects the change for this reason.
        case refuses(String)
        /// It does not complete the change until the behavior is changed.
        case hangs
    }

    private struct State {
        var latches: [Address: Latch]
        var unreadable: String?
        var disk = Disk.works
        var changes: [Latch] = []
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>
    private let executor: ManualExecutor

    /// Creates a store with latches, or an unreadable store.
    public init(
        _ latches: [Address: Latch] = [:], unreadable: String? = nil, executor: ManualExecutor
    ) {
        state = Mutex(State(latches: latches, unreadable: unreadable))
        self.executor = executor
    }

    /// The latches on the disk.
    public var latches: [Address: Latch] { state.withLock(\.latches) }
    /// All requested changes in order, including failed ones.
    public var changes: [Latch] { state.withLock(\.changes) }

    /// Sets the behavior of the disk, and processes all consequences.
    public func setDisk(_ disk: Disk) {
        executor.perform {
            let waiting = state.withLock { state in
                state.disk = disk
                defer { state.waiting = [] }
                return state.waiting
            }
            for continuation in waiting { continuation.resume() }
        }
    }

    /// Returns all latches.
    public func load() async -> KeptLatches {
        state.withLock { $0.unreadable.map { .unreadable($0) } ?? .known($0.latches) }
    }

    /// Stores a latch if it does not exist.
    public func make(_ latch: Latch, of address: Address) async -> String? {
        state.withLock { state in
            if case .refuses(let reason) = state.disk { return reason }
            if state.latches[address] == nil { state.latches[address] = latch }
            return nil
        }
    }

    /// Changes a latch.
    public func keep(_ latch: Latch, of address: Address) async -> String? {
        state.withLock { $0.changes.append(latch) }
        while state.withLock({ $0.disk == .hangs }) {
            await withCheckedContinuation { continuation in
                let hangs = state.withLock { state in
                    if state.disk == .hangs { state.waiting.append(continuation) }
                    return state.disk == .hangs
                }
                if !hangs { continuation.resume() }
            }
        }
        return state.withLock { state in
            if case .refuses(let reason) = state.disk { return reason }
            state.latches[address] = latch
            return nil
        }
    }
}
