import Bluetooth
import DBus
import EventLoop
import Logging

// One program per adapter: only the owner of an adapter's name on the bus uses the adapter.
extension Client {
    /// The other programs that own adapters which this program may use, by the adapters' bus names.
    var holders: [String: AdapterHolder] {
        var holders: [String: AdapterHolder] = [:]
        for adapter in tree.adapters.values where adapters.isWanted(adapter) {
            holders[adapter.name] = holder(of: adapter)
        }
        return holders
    }

    /// Returns the other program that owns an adapter; nil if there is none.
    func holder(of adapter: Adapter) -> AdapterHolder? { adapter.leaseName.flatMap { leases[$0]?.holder } }

    func adapters(of name: String) -> [Adapter] {
        tree.adapters.values.filter { adapters.isWanted($0) && $0.leaseName == name }
            .sorted { $0.path < $1.path }
    }

    /// Subscribes to ownership changes of the adapters' names.
    func followLeases(on connection: Connection) async throws {
        try await keep(
            connection.onOwnerChange(inNamespace: AdapterName.prefix, for: self) { client, change in
                let own = connection.uniqueName
                guard change.newOwner != own, change.oldOwner != own,
                    let name = AdapterName.base(of: change.name), client.leases[name] != nil
                else { return }
                client.leases.examine(name)
            })
    }

    /// Examines due leases, one after the other, until the bus is lost or the task is canceled.
    func keepLeases(on connection: Connection) async {
        guard settings.leases != nil else { return }
        for await _ in leases.follow() {
            while let name = leases.nextDue() {
                do { try await decide(name, on: connection) } catch {
                    guard service.bus?.connection === connection, await connection.isOpen, !Task.isCancelled
                    else { return }
                    logger.warning(
                        "cannot request the bus name of an adapter; retrying",
                        metadata: ["name": "\(name)", "reason": "\(error)"])
                    examine(name, after: limits.reload)
                }
            }
        }
    }

    func examine(_ name: String, after delay: Duration) {
        _ = loop.schedule(after: delay) { [weak self] in
            self?.assumeIsolated { if $0.leases[name] != nil { $0.leases.examine(name) } }
        }
    }

    /// Leases the adapters that are present and needed, and releases all other adapters.
    func updateLeases() {
        guard settings.leases != nil, service.bus != nil else { return }
        let wanted = tree.adapters.values.filter { adapters.isWanted($0) }
        leases.update(wanted: Set(wanted.compactMap(\.leaseName)))
        for adapter in wanted where adapter.address == nil && leases.isNews(adapter.name) {
            logger.warning(
                "BlueZ reports no address of an adapter: another bridge may use it too",
                metadata: ["adapter": "\(adapter.name)"])
        }
        updateLeased()
    }

    /// Updates the set of adapters that may be used, after a change of the leases.
    func updateLeased() {
        let leased = tree.adapters.values.filter {
            $0.leaseName.map { leases[$0]?.isUsable ?? false } ?? true
        }
        adapters.update(tree.adapters.values, leased: Set(leased.map(\.name)))
    }
}

extension Adapter {
    /// The adapter's name on the bus; nil if BlueZ reports no address.
    fileprivate var leaseName: String? { address.map { AdapterName.name(of: $0) } }
}
