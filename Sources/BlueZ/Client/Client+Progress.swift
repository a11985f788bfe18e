import DBus

extension Client {
    /// Whether the bus answers, or is waited for: bluetoothd may be away, the bus may be, but a connection on which
    /// nothing comes back any more is no progress.
    public func isMakingProgress() async -> Bool {
        guard let connection else { return true }
        do {
            _ = try await connection.owner(of: Names.service)
            return true
        } catch {
            // Lost meanwhile: then it is opened again.
            return self.connection !== connection
        }
    }
}
