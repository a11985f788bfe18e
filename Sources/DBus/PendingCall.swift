import EventLoop

/// A call that waits for its answer.
struct PendingCall {
    let message: Message
    let timer: LoopTimer
    /// Called once, on the loop's thread.
    let complete: (Result<IncomingMessage, any Error>) -> Void
}
