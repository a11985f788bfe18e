/// Waits for a descriptor on an event loop, until canceled; belongs to the loop's thread.
///
/// The loop retains it. Cancel it before closing the descriptor.
public final class Watch {
    /// The watched descriptor; the watch does not own it.
    public let descriptor: CInt

    /// The conditions to wait for; an empty set pauses the watch.
    public var interest: Interest {
        didSet { if interest != oldValue { poller?.interestChanged(of: self) } }
    }

    private(set) var handler: ((Readiness) -> Void)?
    private var poller: Poller?

    init(
        descriptor: CInt, interest: Interest, poller: Poller, handler: @escaping (Readiness) -> Void
    ) {
        self.descriptor = descriptor
        self.interest = interest
        self.poller = poller
        self.handler = handler
    }

    /// Cancels the watch; its handler is not called again. A second call does nothing.
    public func cancel() {
        guard handler != nil else { return }
        handler = nil
        poller?.remove(self)
        poller = nil
    }
}
