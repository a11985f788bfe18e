// Reading slowly, as a client does that has much to do.
extension Client {
    /// Leaves what the broker sends in the socket, or takes it again; a new connection is read in any case.
    public nonisolated func pauseReading(_ isPaused: Bool) {
        perform { client in
            guard case .connected(let connection, _) = client.phase else { return }
            connection.isPaused = isPaused
            connection.updateInterest()
        }
    }
}
