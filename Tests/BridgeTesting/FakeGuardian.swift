public import BridgeContract
import Synchronization

/// A guardian that only remembers, and answers at once; a test sees what it would do, and says what it did.
public final class FakeGuardian: Guardian {
    /// What it was told.
    public enum Word: Hashable, Sendable {
        case keep(LinkWill)
        /// That a device needs nothing any more.
        case release(String)
        /// That a device is handed over.
        case carryOut(String)
    }

    private struct State {
        var words: [Word] = []
        var handler: (@Sendable (GuardianEvent) -> Void)?
        /// Why it does not run; nil while it does.
        var loss: String?
        var isSilent = false
        /// The devices of which it has the will without having said so.
        var unanswered: Set<String> = []
        /// The devices of which it has said that it has the will.
        var guarded: Set<String> = []
    }

    private let executor: ManualExecutor
    private let state = Mutex(State())

    /// Makes a guardian that runs and was told nothing.
    public init(executor: ManualExecutor) { self.executor = executor }

    /// Everything that it was told, in order.
    public var words: [Word] { state.withLock { $0.words } }

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

    // MARK: What a test does

    /// Lets it be gone, without another one in its place.
    public func lose(_ reason: String = "it cannot be started: posix_spawn: EAGAIN") {
        state.withLock { state in
            state.loss = reason
            (state.guarded, state.unanswered) = ([], [])
        }
        tell(.lost(reason: reason))
    }

    /// Lets another one run, which is told all wills.
    public func recover() {
        let wills = wills.keys
        state.withLock { state in
            state.loss = nil
            state.unanswered = Set(wills)
        }
        tell(.running)
        answer()
    }

    /// Lets it run without an answer, or answer what it owes.
    public func setSilent(_ isSilent: Bool) {
        state.withLock { $0.isSilent = isSilent }
        answer()
    }

    /// Tells the bridge what became of a device.
    public func tell(_ event: GuardianEvent) {
        executor.perform { state.withLock { $0.handler }?(event) }
    }

    private func answer() {
        let devices = state.withLock { state -> [String] in
            guard !state.isSilent, state.loss == nil else { return [] }
            defer { state.unanswered = [] }
            state.guarded.formUnion(state.unanswered)
            return state.unanswered.sorted()
        }
        for device in devices { tell(.guards(device: device)) }
    }

    // MARK: The port

    /// Takes a will.
    public func keep(_ will: LinkWill) {
        state.withLock { state in
            state.words.append(.keep(will))
            if !state.guarded.contains(will.device), state.loss == nil {
                state.unanswered.insert(will.device)
            }
        }
        executor.later { self.answer() }
    }

    /// Forgets a will.
    public func release(device: String) { forget(device, .release(device)) }

    /// Takes a device over.
    public func carryOut(device: String) { forget(device, .carryOut(device)) }

    private func forget(_ device: String, _ word: Word) {
        state.withLock { state in
            state.words.append(word)
            state.guarded.remove(device)
            state.unanswered.remove(device)
        }
    }

    /// Takes the bridge's handler.
    public func onEvent(_ handler: @escaping @Sendable (GuardianEvent) -> Void) {
        let loss = state.withLock { state in
            state.handler = handler
            return state.loss
        }
        handler(loss.map { .lost(reason: $0) } ?? .running)
    }
}
