/// Runs one reload of the configuration at a time, and one more reload if any is requested while a reload runs.
package struct ReloadQueue: Sendable {
    private enum State: Sendable {
        case idle
        /// A reload runs. The requests that wait for the next reload; nil if none was requested.
        case running(next: [PendingRequest]?)
    }

    private var state = State.idle

    package init() {}

    /// Requests a reload.
    ///
    /// - Parameter request: The request to be answered; nil if there is none. The rate limit of requests bounds the
    ///   queue.
    /// - Returns: Whether to start a reload, by a call of ``next()``.
    package mutating func want(for request: PendingRequest?) -> Bool {
        let requests = request.map { [$0] } ?? []
        switch state {
        case .idle:
            state = .running(next: requests)
            return true
        case .running(let next):
            state = .running(next: (next ?? []) + requests)
            return false
        }
    }

    /// Returns the requests that the next reload answers; nil if no further reload is needed.
    package mutating func next() -> [PendingRequest]? {
        guard case .running(let requests?) = state else {
            state = .idle
            return nil
        }
        state = .running(next: nil)
        return requests
    }
}
