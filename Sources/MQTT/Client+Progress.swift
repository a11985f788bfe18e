import EventLoop

extension Client {
    /// Whether what is published now goes into the socket at once: the client is connected, nothing waits, and the
    /// socket has taken all that came before.
    public var isWritable: Bool {
        guard case .connected(let connection, _) = phase else { return false }
        return outbox.depth == 0 && outbox.unwrittenStreams == 0 && connection.hasWrittenAll
    }

    /// Whether the client does what it is there for: it is connected and looks after the connection, or something
    /// is under way that ends in a connection or in the next attempt.
    public var isMakingProgress: Bool {
        switch phase {
        case .idle, .resolving, .connecting, .waiting, .closed: true
        case .connected: EventLoop.now - tickedAt < .seconds(10)
        }
    }
}
