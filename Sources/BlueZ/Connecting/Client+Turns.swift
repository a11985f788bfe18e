import Bluetooth
import DBus
import EventLoop
import Logging

extension Client {
    /// Runs an operation that makes BlueZ connect to a device. On each adapter only one such operation runs at a time
    /// (its turn), and discovery is stopped.
    ///
    /// Discovery remains stopped while devices wait for their turn. After a long connection attempt, discovery runs for
    /// a moment. So a device in motion is discovered, and is connected first, even while attempts at many other devices
    /// fail.
    func withTurn<Result>(
        _ device: Device, isUrgent: Bool, _ body: () async throws(BlueZError) -> Result
    ) async throws(BlueZError) -> Result {
        let (adapter, life) = (device.adapter, life)
        let ticket = connects.queues[adapter, default: ConnectQueue()].enqueue(isUrgent: isUrgent)
        _ = connects.queues[adapter]?.next()
        var start = EventLoop.now
        defer { endTurn(ticket, on: adapter, life: life, wasLong: EventLoop.now - start >= Self.longTurn) }
        try await awaitTurn(ticket, device)
        start = EventLoop.now
        updateDiscovery(adapter)
        let isQuiet = await until(.adapter(adapter), limits.quiet) {
            self.discovery.adapters[adapter]?.control.isQuiet ?? true
        }
        if !isQuiet {
            logger.debug(
                "discovery did not stop before a connection attempt", metadata: ["adapter": "\(adapter.name)"]
            )
        }
        return try await body()
    }

    private func awaitTurn(_ ticket: ConnectQueue.Ticket, _ device: Device) async throws(BlueZError) {
        let (adapter, subject, life) = (device.adapter, device.address.description, life)
        func isCurrent() -> Bool { connects.queues[adapter]?.current == ticket }
        let isDecided = await until(.turn(adapter, ticket)) {
            self.life != life || isCurrent() || self.tree.adapters[adapter] == nil
        }
        guard self.life == life, isServing else { throw away("Connect", subject) }
        guard isDecided else {
            throw BlueZError(.cancelled, "Connect", on: subject, "the attempt was canceled")
        }
        guard isCurrent() else {
            throw BlueZError(.noAdapter, "Connect", on: subject, "the adapter was removed")
        }
        try requireAllowed(adapter, subject)
    }

    func requireAllowed(_ adapter: ObjectPath, _ subject: String) throws(BlueZError) {
        guard isAllowed(adapter) else {
            throw BlueZError(.noAdapter, "Connect", on: subject, "another program uses the adapter now")
        }
    }

    /// The minimum duration of a turn after which discovery runs. A successful connection takes less time, because
    /// service discovery runs after the turn.
    private static let longTurn = Duration.seconds(1)

    private func endTurn(
        _ ticket: ConnectQueue.Ticket, on adapter: ObjectPath, life: UInt64, wasLong: Bool
    ) {
        guard life == self.life else { return }
        connects.queues[adapter]?.finish(ticket)
        if wasLong { updateDiscovery(adapter) }
        if let next = connects.queues[adapter]?.next() { wake(.turn(adapter, next)) }
        updateDiscovery(adapter)
    }
}
