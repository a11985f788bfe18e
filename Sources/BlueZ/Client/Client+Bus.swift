import Bluetooth
import DBus
import EventLoop
import Logging

extension Client {
    /// Connects to the bus and follows bluetoothd until the task is canceled; reconnects whenever the bus is lost.
    ///
    /// - Throws: `CancellationError`.
    public func run() async throws {
        let reconnector = Reconnector(settings.bus, loop: loop, backoff: limits.bus, logger: logger)
        try await reconnector.run { try await self.serve($0) }
    }

    private func serve(_ connection: Connection) async throws {
        service.bus = ServiceState.Bus(connection: connection)
        defer { leaveBus(connection) }
        // The client subscribes before its first call, so that it misses no change between the answer and the
        // subscription.
        let rules = [
            MatchRule(sender: Names.service, interface: Names.objectManager),
            MatchRule(
                sender: Names.service, interface: Names.properties, member: "PropertiesChanged",
                pathNamespace: "/org/bluez"),
            MatchRule(sender: Names.service, interface: Names.device, member: "Disconnected"),
        ]
        for rule in rules {
            try await keep(connection.subscribe(rule, for: self) { $0.receive($1) })
        }
        try await keep(
            connection.onOwnerChange(of: Names.service) { [weak self] change in
                self?.assumeIsolated { $0.ownerChanged(to: change.newOwner) }
            })
        if settings.answersPairing { try await exportAgent(on: connection) }
        if settings.leases != nil { try await followLeases(on: connection) }
        let owner = try await connection.owner(of: Names.service)
        // An owner that is already set was signaled while this call was in progress, so it is newer than the answer.
        if service.owner == nil, let owner { ownerChanged(to: owner) }
        if service.owner == nil {
            service.setAwayReason("bluetoothd is not running")
            logger.warning(
                "bluetoothd is not running; waiting for it", metadata: ["remedy": "\(Self.serviceRemedy)"])
            tell(.serviceLost(reason: service.awayReason))
        }
        try await withThrowingDiscardingTaskGroup { group in
            // `leaveBus` runs before the task that examines the adapter leases has ended, so that the loss of each link
            // is reported immediately.
            defer { leaveBus(connection) }
            group.addTask { await self.keepLeases(on: connection) }
            _ = try await connection.waitForClose()
            group.cancelAll()
        }
    }

    private static let serviceRemedy = "sudo systemctl start bluetooth"

    /// Stores a subscription, which is canceled when the client leaves the bus.
    func keep(_ subscription: DBus.Subscription) { service.bus?.subscriptions.append(subscription) }

    private func leaveBus(_ connection: Connection) {
        guard let bus = service.bus, bus.connection === connection else { return }
        for subscription in bus.subscriptions { subscription.cancel() }
        service.bus = nil
        leases.lose()
        adapters.update(tree.adapters.values, leased: [])
        let isEnd = connection.assumeIsolated { $0.isOpen }
        leaveService(reason: isEnd ? "the bridge stops" : "the bus is lost", level: isEnd ? .debug : .warning)
    }

    private func ownerChanged(to owner: String?) {
        guard owner != service.owner, service.bus != nil else { return }
        if service.owner != nil { leaveService(reason: "bluetoothd has stopped") }
        guard let owner else { return }
        service.appeared(owner)
        load()
    }

    private func load() {
        let life = life
        start(
            "GetManagedObjects", of: Names.objectManager, at: .root, limit: limits.question,
            subject: Names.service
        ) { client, result in
            guard client.life == life else { return }
            switch result {
            case .success(let arguments):
                client.enterService(arguments.first.map { ObjectTree(managedObjects: $0) } ?? ObjectTree())
            case .failure(let error):
                client.service.setAwayReason(error.reason)
                client.logger.warning(
                    "bluetoothd does not list its adapters and devices; retrying",
                    metadata: ["reason": "\(error)", "remedy": "\(error.remedy ?? "none known")"])
                client.retryLater { if $0.life == life { $0.load() } }
            }
        }
    }

    /// Calls a handler on the loop after a delay, unless the bus is lost before then.
    func retryLater(_ retry: @escaping @Sendable (isolated Client) -> Void) {
        service.retry(
            by: loop.schedule(after: limits.reload) { [weak self] in self?.assumeIsolated { retry($0) } })
    }

    private func enterService(_ loaded: ObjectTree) {
        tree = loaded
        for signal in service.loaded() { _ = tree.apply(signal) }
        adapters.update(tree.adapters.values)
        logger.info("bluetoothd is available", metadata: ["version": "\(version ?? "unknown")"])
        tell(.serviceReady)
        tellAbsentAdapters()
        updateLeases()
        for adapter in tree.adapters.values.sorted(by: { $0.path < $1.path }) {
            adapterChanged(was: nil, now: adapter)
        }
        for (name, holder) in holders.sorted(by: { $0.key < $1.key }) {
            tell(.adapterHeld(name, by: holder.words))
        }
        for device in tree.devices.values.sorted(by: { $0.path < $1.path }) { deviceHeard(device) }
        updateAgent()
        wakeAll()
    }

    /// Removes all objects of bluetoothd, ends the links and attempts, and informs the listeners.
    private func leaveService(reason: String, level: Logger.Level = .warning) {
        let wasServing = isServing
        service.left(reason)
        agentState = .unregistered
        connects.serviceLost(reason: reason)
        for path in links.devices { endLink(path, reason: reason) }
        links.endReasons = [:]
        discovery.serviceLost()
        gate.forgetAll()
        let lost = adapters.serviceLost()
        tree = ObjectTree()
        if wasServing {
            logger.log(
                level: level, "Bluetooth is unavailable",
                metadata: ["reason": "\(reason)", "remedy": "\(Self.serviceRemedy)"])
            for adapter in lost { tell(.adapterLost(adapter.name)) }
            tell(.serviceLost(reason: reason))
            tellAbsentAdapters()
        }
        wakeAll()
    }
}
