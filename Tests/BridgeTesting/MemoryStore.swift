public import BridgeContract
import Synchronization

/// Keeps the bridge's state in memory, over the restarts that a test makes.
public final class MemoryStore: StateStore {
    private let contents: Mutex<(state: BridgeState, saves: Int, isFull: Bool)>

    /// Makes a store that holds a state.
    public init(_ state: BridgeState = BridgeState()) { contents = Mutex((state, 0, false)) }

    /// What is kept.
    public var state: BridgeState { contents.withLock(\.state) }
    /// How often something was to be kept.
    public var saveCount: Int { contents.withLock(\.saves) }

    /// Keeps nothing more from now on, as on a full disk, or does again.
    public func setFull(_ isFull: Bool) { contents.withLock { $0.isFull = isFull } }

    /// Reads what was kept.
    public func load() async -> BridgeState { state }

    /// Keeps a state.
    public func save(_ state: BridgeState) async -> Bool {
        contents.withLock { contents in
            contents.saves += 1
            guard !contents.isFull else { return false }
            contents.state = state
            return true
        }
    }
}
