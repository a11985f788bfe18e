/// A call that waits for its answer.
struct PendingCall {
    let request: CallRequest
    /// When it is given up, on the loop's clock.
    let deadline: Duration
    /// Called once, on the loop's thread.
    let complete: (Result<IncomingMessage, any Error>) -> Void
}
