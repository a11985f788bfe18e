package import BridgeContract

/// Turns Bluetooth discovery on and off. At most one change is under way at a time.
package struct DiscoveryControl: Sendable {
    /// An action that the caller performs. The caller then calls ``changed(to:)``.
    package enum Change: Sendable {
        case start
        case end(any DiscoveryToken)
    }

    private enum State: Sendable {
        case off
        case on(any DiscoveryToken)
        case changing
    }

    private var state = State.off

    package init() {}

    /// Sets whether discovery should run.
    ///
    /// - Returns: The action to perform; nil if discovery is in that state already, or a change is under way. If a
    ///   change is under way, call this method again after the change.
    package mutating func want(_ isWanted: Bool) -> Change? {
        switch (state, isWanted) {
        case (.off, true):
            state = .changing
            return .start
        case (.on(let token), false):
            state = .changing
            return .end(token)
        case (.off, false), (.on, true), (.changing, _): return nil
        }
    }

    /// Records a completed change. The radio returns a token if discovery runs now.
    package mutating func changed(to token: (any DiscoveryToken)?) { state = token.map { .on($0) } ?? .off }

    /// Removes and returns the discovery token, because the bridge shuts down and ends discovery.
    package mutating func take() -> (any DiscoveryToken)? {
        guard case .on(let token) = state else { return nil }
        state = .off
        return token
    }
}
