public import BridgeCore
import Synchronization

/// A guardian that only remembers; a test sees what it would do.
public final class FakeGuardian: Guardian {
    /// What it was told.
    public enum Word: Hashable, Sendable {
        /// A will.
        case keep(LinkWill)
        /// That a device needs nothing any more.
        case release(String)
    }

    private let state = Mutex<[Word]>([])

    /// Makes a guardian that was told nothing.
    public init() {}

    /// Everything that it was told, in order.
    public var words: [Word] { state.withLock { $0 } }

    /// The wills that it would carry out now, by device.
    public var wills: [String: LinkWill] {
        words.reduce(into: [:]) { wills, word in
            switch word {
            case .keep(let will): wills[will.device] = will
            case .release(let device): wills[device] = nil
            }
        }
    }

    /// Takes a will.
    public func keep(_ will: LinkWill) { state.withLock { $0.append(.keep(will)) } }

    /// Forgets a will.
    public func release(device: String) { state.withLock { $0.append(.release(device)) } }
}
