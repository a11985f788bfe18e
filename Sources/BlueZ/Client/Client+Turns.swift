import Bluetooth
import DBus

extension Client {
    /// Runs something that makes BlueZ connect: alone on its adapter, and with discovery stopped.
    func whileConnecting<Result>(
        _ device: Device, isUrgent: Bool, _ body: () async throws(BlueZError) -> Result
    ) async throws(BlueZError) -> Result {
        let life = life
        let ticket = try await takeTurn(device, isUrgent: isUrgent)
        defer { endTurn(ticket, on: device.adapter, life: life) }
        await pauseDiscovery(device.adapter)
        defer { resumeDiscovery(device.adapter, life: life) }
        return try await body()
    }

    private func takeTurn(_ device: Device, isUrgent: Bool) async throws(BlueZError) -> ConnectQueue.Ticket {
        let (adapter, life) = (device.adapter, life)
        let ticket = queues[adapter, default: ConnectQueue()].enqueue(isUrgent: isUrgent)
        _ = queues[adapter]?.next()
        let isOurs = await until(.turn(adapter, ticket)) {
            self.life != life || self.queues[adapter]?.current == ticket || self.tree.adapters[adapter] == nil
        }
        let subject = device.address.description
        guard isOurs, self.life == life, queues[adapter]?.current == ticket else {
            endTurn(ticket, on: adapter, life: life)
            guard self.life == life, isServing else { throw away("Connect", subject) }
            guard isOurs else { throw BlueZError(.cancelled, "Connect", on: subject, "not wanted any more") }
            throw BlueZError(.noAdapter, "Connect", on: subject, "the adapter was removed")
        }
        guard isAllowed(adapter) else {
            endTurn(ticket, on: adapter, life: life)
            throw BlueZError(.noAdapter, "Connect", on: subject, "another program has the adapter now")
        }
        return ticket
    }

    private func endTurn(_ ticket: ConnectQueue.Ticket, on adapter: ObjectPath, life: UInt64) {
        guard life == self.life else { return }
        queues[adapter]?.finish(ticket)
        if let next = queues[adapter]?.next() { wake(.turn(adapter, next)) }
    }
}
