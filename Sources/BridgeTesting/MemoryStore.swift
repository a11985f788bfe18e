public import BridgeCore
import Synchronization

/// Keeps the bridge's state in memory, over the restarts that a test makes.
public final class MemoryStore: StateStore {
    private let contents: Mutex<(state: BridgeState, saves: Int)>

    /// Makes a store that holds a state.
    public init(_ state: BridgeState = BridgeState()) { contents = Mutex((state, 0)) }

    /// What is kept.
    public var state: BridgeState { contents.withLock(\.state) }
    /// How often something was kept.
    public var saveCount: Int { contents.withLock(\.saves) }

    /// Reads what was kept.
    public func load() async -> BridgeState { state }

    /// Keeps a state.
    public func save(_ state: BridgeState) async {
        contents.withLock { contents in
            contents.state = state
            contents.saves += 1
        }
    }
}
