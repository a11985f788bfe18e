import EventLoop

/// Takes a handler of events back.
public final class EventSubscription: Sendable {
    private let number: UInt64
    private weak let client: Client?

    init(number: UInt64, client: Client) {
        self.number = number
        self.client = client
    }

    /// The handler is not called any more: on the loop's thread from now on, else soon. A second call does nothing.
    public func cancel() {
        guard let client else { return }
        let number = number
        if client.loop.isIsolated {
            client.assumeIsolated { $0.endListening(number) }
        } else {
            client.loop.execute { client.assumeIsolated { $0.endListening(number) } }
        }
    }
}

/// A handler of events.
struct Listener {
    let number: UInt64
    let handler: @Sendable (Event) -> Void
    /// Called when there are no more events.
    let end: @Sendable () -> Void
}
