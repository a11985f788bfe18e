package import BridgeContract

/// Knows whether a guardian runs, and why not.
package struct GuardianStatus: Hashable, Sendable {
    /// Whether one runs: it has answered.
    package private(set) var isRunning = false
    /// Why none runs.
    package private(set) var reason = "it has not answered yet"

    package init() {}

    /// Takes an event.
    ///
    /// - Returns: Whether a guardian runs now and did not before, or the reverse.
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
