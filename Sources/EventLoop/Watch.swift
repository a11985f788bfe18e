/// Waits for a descriptor on an event loop, until cancelled; belongs to the loop's thread.
///
/// The loop keeps it alive. Cancel it before closing the descriptor.
public final class Watch {
    /// The watched descriptor; the watch does not own it.
    public let descriptor: CInt

    /// What is waited for; an empty set pauses the watch altogether.
    public var interest: Interest {
        didSet { if interest != oldValue { poller?.interestChanged(of: self) } }
    }

    private(set) var handler: ((Readiness) -> Void)?
    /// Nil once it is cancelled.
    private var poller: Poller?

    init(
        descriptor: CInt, interest: Interest, poller: Poller, handler: @escaping (Readiness) -> Void
    ) {
        self.descriptor = descriptor
        self.interest = interest
        self.poller = poller
        self.handler = handler
    }

    /// Ends the watch; its handler is not called again. Does nothing the second time.
    public func cancel() {
        guard handler != nil else { return }
        handler = nil
        poller?.remove(self)
        poller = nil
    }
}
