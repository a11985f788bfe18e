package import Bluetooth
package import BridgeContract
package import JSON

/// The state that outlives the process, and when the store is asked to keep it.
package struct KeptState: Sendable {
    /// What is to be done so that the store has the newest state.
    package enum Step: Hashable, Sendable {
        /// ``begin()``, then hand the state to the store.
        case save
        /// Ask again at this time: saving takes a thirtieth of the time at most, and a full disk stays full for a while.
        case wait(until: Duration)
    }

    private enum Phase: Sendable {
        /// The store has the newest state.
        case saved
        /// A timer runs, after which the state is saved.
        case waiting
        /// The state is about to be handed to the store.
        case due
        /// The store has a state in its hands; whether there is a newer one.
        case saving(isOutdated: Bool)
        /// The state could not be kept, and is not tried again.
        case unsaved
    }

    /// After how long a state that could not be kept is tried again.
    package static let retryPause = Duration.seconds(5)

    package private(set) var state = BridgeState()
    private var phase = Phase.saved
    private var moderation = Moderation()
    /// Topics that were cleared while the broker was away.
    private var staleTopics: Set<String> = []

    /// The retained topics of the last run.
    private let formerTopics: Set<String>

    package init(_ state: BridgeState = BridgeState()) {
        self.state = state
        formerTopics = state.retainedTopics
    }

    // MARK: Saving

    /// Whether the store does not have the newest state.
    package var isUnsaved: Bool {
        switch phase {
        case .saved, .saving(isOutdated: false): false
        case .waiting, .due, .saving(isOutdated: true), .unsaved: true
        }
    }

    /// Notes that the state has changed.
    package mutating func changed(at now: Duration) -> Step? {
        switch phase {
        case .waiting, .due: return nil
        case .saving:
            phase = .saving(isOutdated: true)
            return nil
        case .saved, .unsaved: return next(at: now)
        }
    }

    /// Notes that the time to wait is over.
    package mutating func waited(at now: Duration) -> Step? {
        guard case .waiting = phase else { return nil }
        return next(at: now)
    }

    private mutating func next(at now: Duration) -> Step {
        if let pause = moderation.pause(at: now) {
            phase = .waiting
            return .wait(until: pause)
        }
        phase = .due
        return .save
    }

    /// Gives the state that the store is to keep.
    package mutating func begin() -> BridgeState {
        phase = .saving(isOutdated: false)
        return state
    }

    /// Takes what became of the state that the store had in its hands.
    ///
    /// - Parameter isLast: Whether a failure is not followed by another attempt.
    package mutating func finish(isKept: Bool, from begin: Duration, to end: Duration, isLast: Bool) -> Step?
    {
        moderation.took(end - begin, until: end)
        let isOutdated = isUnsaved
        if isKept {
            phase = .saved
            return isOutdated ? next(at: end) : nil
        }
        phase = isLast ? .unsaved : .waiting
        return isLast ? nil : .wait(until: end + Self.retryPause)
    }

    // MARK: Devices

    package subscript(address: Address) -> BridgeState.Device? { state[address] }

    /// Changes what is kept of a device.
    ///
    /// - Parameter new: What is changed where nothing is kept of it.
    /// - Returns: Whether that makes a difference; so for the other changes.
    package mutating func remember(
        _ new: @autoclosure () -> BridgeState.Device, at address: Address,
        _ change: (inout BridgeState.Device) -> Void
    ) -> Bool {
        let known = state[address]
        var device = known ?? new()
        change(&device)
        guard known != device else { return false }
        state[address] = device
        return true
    }

    /// Forgets a device.
    package mutating func forget(_ address: Address) -> Bool {
        state[address] = nil
        return true
    }

    /// Forgets what a device's state machine wanted remembered under a key.
    package mutating func forget(memory key: String, of address: Address) -> Bool {
        guard state[address]?.memory[key] != nil else { return false }
        state[address]?.memory[key] = nil
        return true
    }

    /// Changes what a request set in place of settings of families.
    package mutating func keep(defaults: [String: JSON.Object]) -> Bool {
        guard state.defaults != defaults else { return false }
        state.defaults = defaults
        return true
    }

    // MARK: Retained topics

    /// Notes that a retained topic was published.
    package mutating func keep(topic: String) -> Bool {
        staleTopics.remove(topic)
        return state.retainedTopics.insert(topic).inserted
    }

    /// Whether the bridge has published a retained topic.
    package func isRetained(_ topic: String) -> Bool { state.retainedTopics.contains(topic) }

    /// Notes that retained topics are cleared, or that another bridge speaks on them.
    package mutating func forget(topics: some Collection<String>) -> Bool {
        guard !state.retainedTopics.isDisjoint(with: topics) else { return false }
        state.retainedTopics.subtract(topics)
        return true
    }

    /// Notes that topics were cleared.
    ///
    /// - Parameter isDelivered: Whether the broker takes that now. Else they are kept until it is there, so that they are
    ///   cleared at the next start if the bridge ends before.
    package mutating func clear(topics: some Collection<String>, isDelivered: Bool) -> Bool {
        if isDelivered { return forget(topics: topics) }
        staleTopics.formUnion(topics)
        return false
    }

    /// Forgets retained topics of which another process with this bridge's id has the newest message.
    ///
    /// - Parameters:
    ///   - isEstablished: Whether this process has published; otherwise all that it noted was never sent.
    ///   - own: What the bridge's own topics start with.
    package mutating func forgetTopicsOfTwin(isEstablished: Bool, own: String) -> Bool {
        forget(
            topics: state.retainedTopics.filter {
                isEstablished ? $0.hasPrefix(own) : !formerTopics.contains($0)
            })
    }

    /// Notes that the broker is there, and with it what was cleared while it was away.
    package mutating func brokerConnected() -> Bool {
        defer { staleTopics = [] }
        return forget(topics: staleTopics)
    }
}
