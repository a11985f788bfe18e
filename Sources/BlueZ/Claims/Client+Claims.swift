import Bluetooth
import DBus
import EventLoop
import Logging

// One program an adapter: it is used only by the owner of its name on the bus.
extension Client {
    /// The programs that have adapters which this one wants, by the adapters' names.
    var holders: [String: AdapterHolder] {
        var holders: [String: AdapterHolder] = [:]
        for adapter in tree.adapters.values where isWanted(adapter) {
            holders[adapter.name] = claimName(of: adapter).flatMap { claims[$0]?.holder }
        }
        return holders
    }

    func isHeldElsewhere(_ adapter: Adapter) -> Bool {
        claimName(of: adapter).flatMap { claims[$0]?.holder } != nil
    }

    private func claimName(of adapter: Adapter) -> String? {
        adapter.address.map { AdapterName.name(of: $0) }
    }

    func adapters(of name: String) -> [Adapter] {
        tree.adapters.values.filter { isWanted($0) && claimName(of: $0) == name }
            .sorted { $0.path < $1.path }
    }

    /// Follows who owns the names of adapters.
    func followClaims(on connection: Connection) async throws {
        signalSubscriptions.append(
            try await connection.onOwnerChange(inNamespace: AdapterName.prefix, for: self) { client, change in
                let own = connection.uniqueName
                guard change.newOwner != own, change.oldOwner != own,
                    let name = AdapterName.base(of: change.name), client.claims[name] != nil
                else { return }
                client.examine(name)
            })
    }

    /// Looks at claims until the bus is lost or the task is cancelled, one after the other.
    func keepClaims(on connection: Connection) async {
        guard settings.claims != nil else { return }
        let (impulses, input) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        claimsInput = input
        if !openClaims.isEmpty { input.yield() }
        for await _ in impulses {
            while let name = openClaims.min() {
                openClaims.remove(name)
                do { try await settle(name, on: connection) } catch {
                    guard self.connection === connection, await connection.isOpen, !Task.isCancelled else {
                        return
                    }
                    logger.warning(
                        "the name of an adapter cannot be asked for; asking again",
                        metadata: ["name": "\(name)", "reason": "\(error)"])
                    examine(name, after: limits.reload)
                }
            }
        }
    }

    func examine(_ name: String) {
        openClaims.insert(name)
        claimsInput?.yield()
    }

    func examine(_ name: String, after delay: Duration) {
        _ = loop.schedule(after: delay) { [weak self] in
            self?.assumeIsolated { if $0.claims[name] != nil { $0.examine(name) } }
        }
    }

    /// Claims the adapters that are there now and wanted, and gives up those that are not.
    func updateClaims() {
        guard settings.claims != nil, connection != nil else { return }
        let wanted = tree.adapters.values.filter { isWanted($0) }
        let names = Set(wanted.compactMap { claimName(of: $0) })
        for name in claims.keys where !names.contains(name) { examine(name) }
        for name in names where claims[name] == nil {
            claims[name] = Claim()
            examine(name)
        }
        for adapter in wanted where adapter.address == nil {
            remark(
                adapter.name, .warning,
                "BlueZ tells no address of an adapter: nothing keeps another bridge off it",
                ["adapter": "\(adapter.name)"])
        }
        updateClaimedAdapters()
    }

    func updateClaimedAdapters() {
        let usable = tree.adapters.values.filter { adapter in
            guard let name = claimName(of: adapter) else { return true }
            return claims[name]?.isUsable ?? false
        }
        claimedAdapters = Set(usable.map(\.name))
    }

    /// The bus is lost, and every name with it; the successor may have them, if it is still there.
    func loseClaims() {
        (claims, openClaims, claimedAdapters) = ([:], [], [])
        claimsInput?.finish()
        claimsInput = nil
    }

    /// Tells who has adapters that would be used.
    func tellHolders() {
        for (name, holder) in holders.sorted(by: { $0.key < $1.key }) {
            tell(.adapterHeld(name, by: holder.words))
        }
    }

    /// Says something once.
    func remark(
        _ key: String, _ level: Logger.Level, _ words: Logger.Message, _ details: Logger.Metadata
    ) {
        guard claimRemarks.insert(key).inserted else { return }
        logger.log(level: level, words, metadata: details)
    }
}
