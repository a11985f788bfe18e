package import BridgeContract

/// Whether discovery runs; one change of it is under way at a time.
package struct DiscoveryControl: Sendable {
    /// What is to be done, before ``changed(to:)``.
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

    /// Wants discovery to run or to end.
    ///
    /// - Returns: What is to be done; nil if it is so already. While a change is under way nothing is: the wish is to be
    ///   told again after it.
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

    /// Notes that a change was made; discovery runs if there is a token.
    package mutating func changed(to token: (any DiscoveryToken)?) { state = token.map { .on($0) } ?? .off }

    /// Takes the token for good, at the end of the bridge.
    package mutating func take() -> (any DiscoveryToken)? {
        guard case .on(let token) = state else { return nil }
        state = .off
        return token
    }
}
