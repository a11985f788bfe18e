import DBus
import Logging

// The bus names of the adapters that the bridge uses (see `AdapterName`). The guardian owns these names from the
// bridge's death until it exits. So no other bridge connects a device before the device is safe.
extension GuardianProcess {
    /// Queues for a name that the bridge owns.
    func claim(_ name: String, sign: String) {
        claims[name] = sign
        queue(for: name)
    }

    /// Leaves the queue for a name. If the guardian already owns the name, releases it.
    func unclaim(_ name: String) {
        let sign = claims.removeValue(forKey: name)
        guard let connection else { return reply(.left(name: name)) }
        spawn { guardian in
            for name in [sign, name].compactMap({ $0 }) { _ = try? await connection.releaseName(name) }
            guardian.reply(.left(name: name))
        }
    }

    /// Queues for all names again on a new connection to the bus, because requests of an earlier connection are lost.
    func queueForAll() {
        for name in claims.keys.sorted() { queue(for: name) }
    }

    /// Requests a name with replacement allowed, so that a waiting process can take it from a guardian that hangs.
    private func queue(for name: String) {
        guard let connection, let sign = claims[name] else { return }
        spawn { guardian in
            do {
                // The additional name is requested first, so that a program which sees the guardian get the adapter's
                // name can identify the guardian.
                _ = try await connection.requestName(sign)
                _ = try await connection.requestName(name, [.allowReplacement])
                guard guardian.claims[name] != nil else {
                    for name in [sign, name] { _ = try await connection.releaseName(name) }
                    return
                }
                guardian.reply(.queued(name: name))
            } catch {
                guardian.logger.error(
                    "the guardian is not queued for an adapter: another bridge may use it before devices are safe",
                    metadata: ["name": "\(name)", "reason": "\(error)"])
            }
        }
    }
}
