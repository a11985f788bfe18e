public import BridgeContract
import Synchronization

/// Keeps the bridge's state in memory across the restarts of a test.
public final class MemoryStore: StateStore {
    private let contents: Mutex<(state: BridgeState, saves: Int, isFull: Bool)>

    /// Creates a store with a state.
    public init(_ state: BridgeState = BridgeState()) { contents = Mutex((state, 0, false)) }

    /// The saved state.
    public var state: BridgeState { contents.withLock(\.state) }
    /// The number of attempts to save.
    public var saveCount: Int { contents.withLock(\.saves) }

    /// Makes saves fail as on a full disk, or succeed again.
    public func setFull(_ isFull: Bool) { contents.withLock { $0.isFull = isFull } }

    /// Returns the saved state.
    public func load() async -> BridgeState { state }

    /// Saves a state.
    public func save(_ state: BridgeState) async -> Bool {
        contents.withLock { contents in
            contents.saves += 1
            guard !contents.isFull else { return false }
            contents.state = state
            return true
        }
    }
}
