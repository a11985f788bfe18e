import EventLoop

/// Takes a handler of events back.
public final class EventSubscription: Sendable {
    private let number: UInt64
    private weak let daemon: Daemon?

    init(number: UInt64, daemon: Daemon) {
        self.number = number
        self.daemon = daemon
    }

    /// The handler is not called any more: on the loop's thread from now on, else soon. A second call does nothing.
    public func cancel() {
        guard let daemon else { return }
        let number = number
        if daemon.loop.isIsolated {
            daemon.assumeIsolated { $0.endListening(number) }
        } else {
            daemon.loop.execute { daemon.assumeIsolated { $0.endListening(number) } }
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
