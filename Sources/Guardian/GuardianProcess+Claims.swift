import DBus
import Logging

// The names of the adapters that the bridge uses: the guardian has them from the bridge's death to its own
// end, so that no other bridge connects a device before it is safe.
extension GuardianProcess {
    /// Queues for a name that the bridge owns.
    func claim(_ name: String, sign: String) {
        claims[name] = sign
        queue(for: name)
    }

    /// Leaves the queue for a name, and gives it back if the guardian was quicker than its bridge.
    func unclaim(_ name: String) {
        let sign = claims.removeValue(forKey: name)
        guard let connection else { return reply(.left(name: name)) }
        spawn { guardian in
            for name in [sign, name].compactMap({ $0 }) { _ = try? await connection.releaseName(name) }
            guardian.reply(.left(name: name))
        }
    }

    /// The bus is there, perhaps again: what was asked for on an earlier connection is lost.
    func queueForAll() {
        for name in claims.keys.sorted() { queue(for: name) }
    }

    /// Asks for a name in such a way that a waiting process may take it from a guardian that hangs.
    private func queue(for name: String) {
        guard let connection, let sign = claims[name] else { return }
        spawn { guardian in
            do {
                // First, so that a program that sees the guardian get the name knows whose it is.
                _ = try await connection.requestName(sign)
                _ = try await connection.requestName(name, [.allowReplacement])
                guard guardian.claims[name] != nil else {
                    for name in [sign, name] { _ = try await connection.releaseName(name) }
                    return
                }
                guardian.reply(.queued(name: name))
            } catch {
                guardian.logger.error(
                    "no place in the queue for an adapter",
                    metadata: ["name": "\(name)", "reason": "\(error)"])
            }
        }
    }
}
