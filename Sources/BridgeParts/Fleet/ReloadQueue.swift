/// Has the configuration read once at a time, and once more if that is asked for meanwhile.
package struct ReloadQueue: Sendable {
    private enum State: Sendable {
        case idle
        /// One is under way; the requests that wait for the next one, nil if none is wanted.
        case running(next: [PendingRequest]?)
    }

    private var state = State.idle

    package init() {}

    /// Wants the configuration read.
    ///
    /// - Parameter request: The request that wants an answer. Those that wait are bounded by the requests that are taken.
    /// - Returns: Whether to begin, with ``next()``.
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

    /// Takes the requests that the next reading answers; nil if none is wanted any more.
    package mutating func next() -> [PendingRequest]? {
        guard case .running(let requests?) = state else {
            state = .idle
            return nil
        }
        state = .running(next: nil)
        return requests
    }
}
