import DBus
import EventLoop
import Logging

// One program an adapter: it is used only by the owner of its name on the bus.
extension Daemon {
    /// The programs that have adapters which this one wants, by the adapters' names.
    var holders: [String: AdapterHolder] {
        var holders: [String: AdapterHolder] = [:]
        for adapter in tree.adapters.values where isWanted(adapter.name) {
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

    private func adapters(of name: String) -> [Adapter] {
        tree.adapters.values.filter { isWanted($0.name) && claimName(of: $0) == name }
            .sorted { $0.path < $1.path }
    }

    /// Follows who owns the names of adapters.
    func followClaims(on connection: Connection) async throws {
        signalSubscriptions.append(
            try await connection.onOwnerChange(inNamespace: AdapterName.prefix, for: self) { daemon, change in
                let own = connection.uniqueName
                guard change.newOwner != own, change.oldOwner != own,
                    let name = AdapterName.base(of: change.name), daemon.claims[name] != nil
                else { return }
                daemon.examine(name)
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
                        "The name of an adapter cannot be asked for; asking again",
                        metadata: ["name": "\(name)", "error": "\(error)"])
                    examine(name, after: limits.reload)
                }
            }
        }
    }

    private func examine(_ name: String) {
        openClaims.insert(name)
        claimsInput?.yield()
    }

    private func examine(_ name: String, after delay: Duration) {
        _ = loop.schedule(after: delay) { [weak self] in
            self?.assumeIsolated { if $0.claims[name] != nil { $0.examine(name) } }
        }
    }

    /// Claims the adapters that are there now and wanted, and gives up those that are not.
    func updateClaims() {
        guard settings.claims != nil, connection != nil else { return }
        let wanted = tree.adapters.values.filter { isWanted($0.name) }
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

    private func updateClaimedAdapters() {
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
            tell(.adapterHeld(name: name, by: holder))
        }
    }

    // MARK: One claim

    /// Finds out who has an adapter, and takes it if nobody has.
    private func settle(_ name: String, on connection: Connection) async throws {
        guard claims[name] != nil, let settings = settings.claims else { return }
        guard !adapters(of: name).isEmpty else { return try await release(name, on: connection) }
        if try await own(name, on: connection) { return try await owned(name, settings, on: connection) }
        guard let holder = try await connection.adapterHolder(of: name) else {
            // Free by now; or it was free all the time, but not for this program.
            guard isDenied(name) else { return examine(name) }
            return change(name, to: .unguarded)
        }
        guard claims[name]?.holder?.connection == holder.connection else {
            claims[name]?.since = EventLoop.now
            examine(name, after: limits.succession)
            return change(name, to: .held(holder))
        }
        change(name, to: .held(holder))
    }

    /// Asks for the name; whether it is ours.
    private func own(_ name: String, on connection: Connection) async throws -> Bool {
        if try await request(name, [.doNotQueue], on: connection) { return true }
        if let successor = settings.claims?.successor {
            // It stands in the queue behind this program alone; at a bus that is back it may have been quicker.
            claims[name]?.hasSuccessor = false
            await successor.leave(name)
            if try await request(name, [.doNotQueue], on: connection) { return true }
        }
        guard let claim = claims[name], let holder = claim.holder,
            EventLoop.now - claim.since >= limits.succession
        else { return false }
        claims[name]?.since = EventLoop.now
        examine(name, after: limits.succession)
        guard try await request(name, [.doNotQueue, .replaceExisting], on: connection) else { return false }
        logger.error(
            "A guardian does not end: its adapter is taken over",
            metadata: ["name": "\(name)", "guardian": "\(holder.words)"])
        return true
    }

    private func request(
        _ name: String, _ options: NameOptions, on connection: Connection
    ) async throws -> Bool {
        do {
            let result = try await connection.requestName(name, options)
            claimRemarks.remove(Self.denied(name))
            return result == .primaryOwner || result == .alreadyOwner
        } catch let error as DBusError where error.name == DBusError.Name.accessDenied {
            remark(
                "denied", .warning,
                "The bus does not let this user own the names of adapters: no other bridge can know of this one",
                [
                    "name": "\(name)",
                    "remedy": "install the D-Bus policy, tactile-bridge.dbus.conf; run as its user",
                ])
            claimRemarks.insert(Self.denied(name))
            return false
        }
    }

    private static func denied(_ name: String) -> String { "denied \(name)" }

    private func isDenied(_ name: String) -> Bool { claimRemarks.contains(Self.denied(name)) }

    /// The name is ours: the successor queues for it before anything is done on the adapter, so that no other
    /// program comes between the two.
    private func owned(_ name: String, _ settings: ClaimSettings, on connection: Connection) async throws {
        let sign = AdapterName.sign(of: settings.bridge, isGuardian: false, at: name)
        // It only tells who this is.
        _ = try? await connection.requestName(sign)
        if let successor = settings.successor, claims[name]?.hasSuccessor == false {
            claims[name]?.hasSuccessor = true
            let sign = AdapterName.sign(of: settings.bridge, isGuardian: true, at: name)
            if await !successor.queue(for: name, sign: sign) {
                logger.error(
                    "The guardian does not queue for an adapter: another bridge may use it before devices are safe",
                    metadata: ["name": "\(name)"])
            }
        }
        change(name, to: .owned)
    }

    /// Gives up the name of an adapter that is gone, or is not wanted any more.
    private func release(_ name: String, on connection: Connection) async throws {
        let claim = claims[name]
        change(name, to: .asked)
        if claim?.hasSuccessor == true { await settings.claims?.successor?.leave(name) }
        if claim?.state == .owned, let bridge = settings.claims?.bridge {
            let sign = AdapterName.sign(of: bridge, isGuardian: false, at: name)
            for name in [sign, name] { _ = try await connection.releaseName(name) }
        }
        claims[name] = nil
        // It may be back.
        updateClaims()
    }

    private func change(_ name: String, to state: Claim.State) {
        guard let was = claims[name]?.state, was != state else { return }
        claims[name]?.state = state
        updateClaimedAdapters()
        for adapter in adapters(of: name) {
            if let holder = state.holder {
                let isNew = holder.connection != was.holder?.connection
                logger.log(
                    level: isNew ? .warning : .debug,
                    "Another program has the adapter; waiting until it is free",
                    metadata: describe(adapter).merging(["holder": "\(holder.words)"]) { $1 })
                tell(.adapterHeld(name: adapter.name, by: holder))
            }
            claimChanged(of: adapter)
        }
        if usableAdapters.isEmpty { leaveAgent() } else { takeAgent() }
        wake()
    }

    private func claimChanged(of adapter: Adapter) {
        updateReadiness(of: adapter)
        if !adapter.isPowered, isAllowed(adapter.name) { foundOff(adapter) }
        updateDiscovery(adapter.path)
        // What was heard before the adapter could be used was told to nobody.
        for device in tree.devices.values.filter({ $0.adapter == adapter.path }).sorted(by: {
            $0.path < $1.path
        }) {
            deviceHeard(device)
        }
    }

    /// Says something once.
    private func remark(
        _ key: String, _ level: Logger.Level, _ words: Logger.Message, _ details: Logger.Metadata
    ) {
        guard claimRemarks.insert(key).inserted else { return }
        logger.log(level: level, words, metadata: details)
    }

    // MARK: The agent

    /// Registers the pairing agent, once, unless this program answers none: it answers for the whole host, so a
    /// program that only waits for adapters has none.
    func takeAgent() {
        guard settings.answersPairing, isServing, !hasAgent else { return }
        hasAgent = true
        registerAgent()
    }

    private func leaveAgent() {
        guard hasAgent else { return }
        hasAgent = false
        start(
            "UnregisterAgent", of: Names.agentManager, at: "/org/bluez", [.objectPath(settings.agentPath)],
            limit: limits.question, subject: "agent"
        ) { _, _ in }
    }
}
