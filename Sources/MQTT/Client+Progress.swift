import EventLoop

extension Client {
    /// Whether the client does what it is there for: it is connected and looks after the connection, or something
    /// is under way that ends in a connection or in the next attempt.
    public var isMakingProgress: Bool {
        switch phase {
        case .idle, .resolving, .connecting, .waiting, .closed: true
        case .connected: EventLoop.now - tickedAt < .seconds(10)
        }
    }
}
