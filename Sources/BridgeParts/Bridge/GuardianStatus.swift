package import BridgeContract

/// Tracks whether a ``Guardian`` runs, and the reason if not.
package struct GuardianStatus: Hashable, Sendable {
    /// Whether a guardian runs and has answered.
    package private(set) var isRunning = false
    package private(set) var reason = "the guardian has not answered yet"

    package init() {}

    /// Applies an event.
    ///
    /// - Returns: Whether `isRunning` changed.
    package mutating func take(_ event: GuardianEvent) -> Bool {
        let wasRunning = isRunning
        switch event {
        case .running: isRunning = true
        case .lost(let reason): (isRunning, self.reason) = (false, reason)
        case .guards, .ended: break
        }
        return isRunning != wasRunning
    }
}
