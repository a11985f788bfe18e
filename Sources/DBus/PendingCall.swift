/// A call that waits for its answer.
struct PendingCall {
    let request: CallRequest
    /// The time of the timeout, on the loop's clock.
    let deadline: Duration
    /// Passes the result to the caller. Called once, on the loop's thread.
    let complete: (Result<IncomingMessage, any Error>) -> Void
}
