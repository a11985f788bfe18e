import Bluetooth
import DBus
import EventLoop
import Logging

// One program an adapter: it is used only by the owner of its name on the bus.
extension Client {
    /// The programs that have adapters which this one wants, by the adapters' names.
    var holders: [String: AdapterHolder] {
        var holders: [String: AdapterHolder] = [:]
        for adapter in tree.adapters.values where adapters.isWanted(adapter) {
            holders[adapter.name] = holder(of: adapter)
        }
        return holders
    }

    /// The program that has an adapter; nil if none but this one has.
    func holder(of adapter: Adapter) -> AdapterHolder? { adapter.leaseName.flatMap { leases[$0]?.holder } }

    func adapters(of name: String) -> [Adapter] {
        tree.adapters.values.filter { adapters.isWanted($0) && $0.leaseName == name }
            .sorted { $0.path < $1.path }
    }

    /// Follows who owns the names of adapters.
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

    /// Examines leases until the bus is lost or the task is cancelled, one after the other.
    func keepLeases(on connection: Connection) async {
        guard settings.leases != nil else { return }
        for await _ in leases.follow() {
            while let name = leases.nextDue() {
                do { try await decide(name, on: connection) } catch {
                    guard service.bus?.connection === connection, await connection.isOpen, !Task.isCancelled
                    else { return }
                    logger.warning(
                        "the name of an adapter cannot be asked for; asking again",
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

    /// Leases the adapters that are there now and wanted, and gives back those that are not.
    func updateLeases() {
        guard settings.leases != nil, service.bus != nil else { return }
        let wanted = tree.adapters.values.filter { adapters.isWanted($0) }
        leases.update(wanted: Set(wanted.compactMap(\.leaseName)))
        for adapter in wanted where adapter.address == nil && leases.isNews(adapter.name) {
            logger.warning(
                "BlueZ tells no address of an adapter: nothing keeps another bridge off it",
                metadata: ["adapter": "\(adapter.name)"])
        }
        updateLeased()
    }

    /// Enters which adapters may be used as far as other programs go.
    func updateLeased() {
        let leased = tree.adapters.values.filter {
            $0.leaseName.map { leases[$0]?.isUsable ?? false } ?? true
        }
        adapters.update(tree.adapters.values, leased: Set(leased.map(\.name)))
    }
}

extension Adapter {
    /// Its name on the bus; nil where BlueZ tells no address.
    fileprivate var leaseName: String? { address.map { AdapterName.name(of: $0) } }
}
