public import Bluetooth
public import BridgeContract
public import DeviceKit
import Synchronization

/// Keeps emergency stops in memory, over the restarts that a test makes; a test decides what the disk does.
public final class MemoryLatchStore: LatchStore {
    /// What the disk does with a change.
    public enum Disk: Hashable, Sendable {
        /// It keeps it.
        case works
        /// It refuses it, for this reason.
        case refuses(String)
        /// It does not end it, until it does something else.
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

    /// Makes a store that holds latches, or one that cannot be read.
    public init(
        _ latches: [Address: Latch] = [:], unreadable: String? = nil, executor: ManualExecutor
    ) {
        state = Mutex(State(latches: latches, unreadable: unreadable))
        self.executor = executor
    }

    /// What is on the disk.
    public var latches: [Address: Latch] { state.withLock(\.latches) }
    /// What was to be changed, in order; those that failed are among them.
    public var changes: [Latch] { state.withLock(\.changes) }

    /// Lets the disk do something else, and lets all that follows happen.
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

    /// Reads all.
    public func load() async -> KeptLatches {
        state.withLock { $0.unreadable.map { .unreadable($0) } ?? .known($0.latches) }
    }

    /// Makes a latch that is missing.
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
