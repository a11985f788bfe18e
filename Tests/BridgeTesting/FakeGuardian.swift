public import BridgeContract
import Synchronization

/// A guardian that records its orders and answers at once. A test decides which events it reports.
public final class FakeGuardian: Guardian {
    /// An order to the guardian.
    public enum Word: Hashable, Sendable {
        case keep(LinkWill)
        /// The device is safe and needs no guardian.
        case release(String)
        /// The guardian must make the device safe now.
        case carryOut(String)
    }

    private struct State {
        var words: [Word] = []
        var handler: (@Sendable (GuardianEvent) -> Void)?
        /// Why the guardian does not run; nil while it runs.
        var loss: String?
        var isSilent = false
        /// The devices with a will that the guardian has not confirmed yet.
        var unanswered: Set<String> = []
        /// The devices with a confirmed will.
        var guarded: Set<String> = []
    }

    private let executor: ManualExecutor
    private let state = Mutex(State())

    /// Creates a running guardian without wills.
    public init(executor: ManualExecutor) { self.executor = executor }

    /// All orders so far.
    public var words: [Word] { state.withLock { $0.words } }

    /// The wills that the guardian would carry out if the bridge died now, by device. Wills that it already carries
    /// out are not among them.
    public var wills: [String: LinkWill] {
        words.reduce(into: [:]) { wills, word in
            switch word {
            case .keep(let will): wills[will.device] = will
            case .release(let device), .carryOut(let device): wills[device] = nil
            }
        }
    }

    /// The devices that the guardian was ordered to make safe, in order.
    public var handedOver: [String] {
        words.compactMap { if case .carryOut(let device) = $0 { device } else { nil } }
    }

    // MARK: Actions of a test

    /// Stops the guardian without a replacement.
    public func lose(_ reason: String = "it cannot be started: posix_spawn: EAGAIN") {
        state.withLock { state in
            state.loss = reason
            (state.guarded, state.unanswered) = ([], [])
        }
        tell(.lost(reason: reason))
    }

    /// Starts a new guardian, which receives all wills.
    public func recover() {
        let wills = wills.keys
        state.withLock { state in
            state.loss = nil
            state.unanswered = Set(wills)
        }
        tell(.running)
        answer()
    }

    /// Suppresses confirmations, or sends the missing ones.
    public func setSilent(_ isSilent: Bool) {
        state.withLock { $0.isSilent = isSilent }
        answer()
    }

    /// Reports an event to the bridge.
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

    // MARK: Port

    /// Records a will and confirms it.
    public func keep(_ will: LinkWill) {
        state.withLock { state in
            state.words.append(.keep(will))
            if !state.guarded.contains(will.device), state.loss == nil {
                state.unanswered.insert(will.device)
            }
        }
        executor.later { self.answer() }
    }

    /// Removes a will.
    public func release(device: String) { forget(device, .release(device)) }

    /// Records that a device is handed over.
    public func carryOut(device: String) { forget(device, .carryOut(device)) }

    private func forget(_ device: String, _ word: Word) {
        state.withLock { state in
            state.words.append(word)
            state.guarded.remove(device)
            state.unanswered.remove(device)
        }
    }

    /// Sets the handler, and reports the current state to it.
    public func onEvent(_ handler: @escaping @Sendable (GuardianEvent) -> Void) {
        let loss = state.withLock { state in
            state.handler = handler
            return state.loss
        }
        handler(loss.map { .lost(reason: $0) } ?? .running)
    }
}
