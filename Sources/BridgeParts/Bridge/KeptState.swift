package import Bluetooth
package import BridgeContract
package import JSON

/// The state that outlives the process, and the schedule on which the store saves it.
package struct KeptState: Sendable {
    /// What the caller must do so that the newest state is saved.
    package enum Step: Hashable, Sendable {
        /// Call ``begin()`` and pass the returned state to the store.
        case save
        /// Check again at this time. Pauses limit saving to a thirtieth of the time. A failed save, for example on a
        /// full disk, is retried after ``retryPause``.
        case wait(until: Duration)
    }

    private enum Phase: Sendable {
        /// The store has saved the newest state.
        case saved
        /// A timer runs; the state is saved when it expires.
        case waiting
        /// The state must be saved, and the caller is about to call ``begin()``.
        case due
        /// The store is saving a state; `isOutdated` is true if the state has changed since.
        case saving(isOutdated: Bool)
        /// The last attempt to save failed, and no retry follows.
        case unsaved
    }

    /// The pause before a failed save is retried.
    package static let retryPause = Duration.seconds(5)

    package private(set) var state = BridgeState()
    private var phase = Phase.saved
    private var moderation = DutyLimiter()
    /// Topics that were cleared while the broker was disconnected.
    private var staleTopics: Set<String> = []

    /// The retained topics that the previous run of the bridge recorded in the state.
    private let formerTopics: Set<String>

    package init(_ state: BridgeState = BridgeState()) {
        self.state = state
        formerTopics = state.retainedTopics
    }

    // MARK: Saving

    /// Whether the newest state is neither saved nor being saved.
    package var isUnsaved: Bool {
        switch phase {
        case .saved, .saving(isOutdated: false): false
        case .waiting, .due, .saving(isOutdated: true), .unsaved: true
        }
    }

    /// Records that the state has changed.
    package mutating func changed(at now: Duration) -> Step? {
        switch phase {
        case .waiting, .due: return nil
        case .saving:
            phase = .saving(isOutdated: true)
            return nil
        case .saved, .unsaved: return next(at: now)
        }
    }

    /// Records that the caller has waited as long as ``Step/wait(until:)`` required.
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

    /// Starts a save and returns the state to be saved.
    package mutating func begin() -> BridgeState {
        phase = .saving(isOutdated: false)
        return state
    }

    /// Records the result of a save.
    ///
    /// - Parameter isLast: Whether this is the last save before the process exits, so that no retry follows a failure.
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

    /// Changes what the state stores about a device.
    ///
    /// - Parameter new: The entry to change if the device has no stored entry.
    /// - Returns: Whether the state changed. The other methods that change the state return the same.
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

    package mutating func forget(_ address: Address) -> Bool {
        state[address] = nil
        return true
    }

    /// Deletes a value that a device's state machine keeps across restarts.
    package mutating func forget(memory key: String, of address: Address) -> Bool {
        guard state[address]?.memory[key] != nil else { return false }
        state[address]?.memory[key] = nil
        return true
    }

    /// Replaces the family settings that were set by a request.
    package mutating func keep(defaults: [String: JSON.Object]) -> Bool {
        guard state.defaults != defaults else { return false }
        state.defaults = defaults
        return true
    }

    // MARK: Retained topics

    /// Records that a retained topic was published.
    package mutating func keep(topic: String) -> Bool {
        staleTopics.remove(topic)
        return state.retainedTopics.insert(topic).inserted
    }

    package func isRetained(_ topic: String) -> Bool { state.retainedTopics.contains(topic) }

    /// Removes retained topics that are cleared, or that another bridge publishes now.
    package mutating func forget(topics: some Collection<String>) -> Bool {
        guard !state.retainedTopics.isDisjoint(with: topics) else { return false }
        state.retainedTopics.subtract(topics)
        return true
    }

    /// Records that topics were cleared.
    ///
    /// - Parameter isDelivered: Whether the broker receives the cleared messages now. Otherwise the topics stay in the
    ///   state until the broker is connected, so that the next start clears them if the bridge exits before.
    package mutating func clear(topics: some Collection<String>, isDelivered: Bool) -> Bool {
        if isDelivered { return forget(topics: topics) }
        staleTopics.formUnion(topics)
        return false
    }

    /// Removes retained topics whose newest message comes from another process with this bridge's id.
    ///
    /// - Parameters:
    ///   - isEstablished: Whether this process has published. If not, none of the topics that it recorded was sent to
    ///     the broker.
    ///   - own: The prefix of the bridge's own topics.
    package mutating func forgetTopicsOfTwin(isEstablished: Bool, own: String) -> Bool {
        forget(
            topics: state.retainedTopics.filter {
                isEstablished ? $0.hasPrefix(own) : !formerTopics.contains($0)
            })
    }

    /// Records that the broker is connected, and removes the topics that were cleared while it was disconnected.
    package mutating func brokerConnected() -> Bool {
        defer { staleTopics = [] }
        return forget(topics: staleTopics)
    }
}
