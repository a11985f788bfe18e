public import BridgeCore
import Synchronization

/// A guardian that only remembers; a test sees what it would do, and says what it did.
public final class FakeGuardian: Guardian {
    /// What it was told.
    public enum Word: Hashable, Sendable {
        case keep(LinkWill)
        /// That a device needs nothing any more.
        case release(String)
        /// That a device is handed over.
        case carryOut(String)
    }

    private let state = Mutex<[Word]>([])
    private let handler = Mutex<(@Sendable (GuardianEvent) -> Void)?>(nil)

    /// Makes a guardian that was told nothing.
    public init() {}

    /// Everything that it was told, in order.
    public var words: [Word] { state.withLock { $0 } }

    /// The wills that it would carry out if the bridge died now, by device; those that it carries out already not.
    public var wills: [String: LinkWill] {
        words.reduce(into: [:]) { wills, word in
            switch word {
            case .keep(let will): wills[will.device] = will
            case .release(let device), .carryOut(let device): wills[device] = nil
            }
        }
    }

    /// The devices that were handed over, in order.
    public var handedOver: [String] {
        words.compactMap { if case .carryOut(let device) = $0 { device } else { nil } }
    }

    /// Takes a will.
    public func keep(_ will: LinkWill) { state.withLock { $0.append(.keep(will)) } }

    /// Forgets a will.
    public func release(device: String) { state.withLock { $0.append(.release(device)) } }

    /// Takes a device over.
    public func carryOut(device: String) { state.withLock { $0.append(.carryOut(device)) } }

    /// Takes the bridge's handler.
    public func onEvent(_ handler: @escaping @Sendable (GuardianEvent) -> Void) {
        self.handler.withLock { $0 = handler }
    }

    /// Tells the bridge what became of a device; on the bridge's executor.
    public func report(_ event: GuardianEvent) { handler.withLock { $0 }?(event) }
}
