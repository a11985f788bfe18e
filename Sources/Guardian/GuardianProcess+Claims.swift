import DBus
import Logging

// The names of the adapters that the bridge uses. The guardian owns them from the bridge's death to its own end. So no
// other bridge connects a device before it is safe.
extension GuardianProcess {
    /// Queues for a name that the bridge owns.
    func claim(_ name: String, sign: String) {
        claims[name] = sign
        queue(for: name)
    }

    /// Leaves the queue for a name, and releases the name if the guardian got it before its bridge.
    func unclaim(_ name: String) {
        let sign = claims.removeValue(forKey: name)
        guard let connection else { return reply(.left(name: name)) }
        spawn { guardian in
            for name in [sign, name].compactMap({ $0 }) { _ = try? await connection.releaseName(name) }
            guardian.reply(.left(name: name))
        }
    }

    /// Queues for all names again after a connection to the bus: requests of an earlier connection are lost.
    func queueForAll() {
        for name in claims.keys.sorted() { queue(for: name) }
    }

    /// Requests a name with replacement allowed, so that a waiting process can take it from a guardian that hangs.
    private func queue(for name: String) {
        guard let connection, let sign = claims[name] else { return }
        spawn { guardian in
            do {
                // Requested first, so that a program that sees the guardian get the adapter's name can identify it.
                _ = try await connection.requestName(sign)
                _ = try await connection.requestName(name, [.allowReplacement])
                guard guardian.claims[name] != nil else {
                    for name in [sign, name] { _ = try await connection.releaseName(name) }
                    return
                }
                guardian.reply(.queued(name: name))
            } catch {
                guardian.logger.error(
                    "cannot join the queue for an adapter",
                    metadata: ["name": "\(name)", "reason": "\(error)"])
            }
        }
    }
}
