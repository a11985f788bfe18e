import Bluetooth
import DBus
import EventLoop
import Logging

extension Client {
    /// Stays with bluetoothd until the task is cancelled: opens the bus, and again whenever it was lost.
    ///
    /// - Throws: `CancellationError`.
    public func run() async throws {
        let reconnector = Reconnector(settings.bus, loop: loop, backoff: limits.bus, logger: logger)
        try await reconnector.run { try await self.serve($0) }
    }

    private func serve(_ connection: Connection) async throws {
        self.connection = connection
        defer { leaveBus(connection) }
        // The rules come before the first question, so that nothing falls between its answer and them.
        let rules = [
            MatchRule(sender: Names.service, interface: Names.objectManager),
            MatchRule(
                sender: Names.service, interface: Names.properties, member: "PropertiesChanged",
                pathNamespace: "/org/bluez"),
            MatchRule(sender: Names.service, interface: Names.device, member: "Disconnected"),
        ]
        for rule in rules {
            signalSubscriptions.append(
                try await connection.subscribe(rule, for: self) { client, message in client.receive(message) }
            )
        }
        signalSubscriptions.append(
            try await connection.onOwnerChange(of: Names.service) { [weak self] change in
                self?.assumeIsolated { $0.ownerChanged(to: change.newOwner) }
            })
        if settings.answersPairing { try await exportAgent(on: connection) }
        if settings.claims != nil { try await followClaims(on: connection) }
        let owner = try await connection.owner(of: Names.service)
        if owner == nil {
            awayReason = "bluetoothd is not running"
            logger.warning(
                "bluetoothd is not running; waiting for it", metadata: ["remedy": "\(Self.serviceRemedy)"])
            tell(.serviceLost(reason: awayReason))
        }
        ownerChanged(to: owner)
        try await withThrowingDiscardingTaskGroup { group in
            // Not after the last claim was looked at: each holder of a link hears at once that it is lost.
            defer { leaveBus(connection) }
            group.addTask { await self.keepClaims(on: connection) }
            _ = try await connection.waitForClose()
            group.cancelAll()
        }
    }

    private static let serviceRemedy = "sudo systemctl start bluetooth"

    private func leaveBus(_ connection: Connection) {
        guard self.connection === connection else { return }
        for subscription in signalSubscriptions { subscription.cancel() }
        signalSubscriptions = []
        self.connection = nil
        owner = nil
        loseClaims()
        let isEnd = connection.assumeIsolated { $0.isOpen }
        leaveService(reason: isEnd ? "the bridge ends" : "the bus is gone", level: isEnd ? .debug : .warning)
    }

    private func ownerChanged(to owner: String?) {
        guard owner != self.owner, connection != nil else { return }
        if self.owner != nil { leaveService(reason: "bluetoothd is gone") }
        self.owner = owner
        if owner != nil { load() }
    }

    /// Asks for all objects.
    private func load() {
        earlySignals = []
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
                client.awayReason = error.reason
                client.logger.warning(
                    "bluetoothd does not tell its objects; asking again",
                    metadata: ["reason": "\(error)", "remedy": "\(error.remedy ?? "none known")"])
                client.retryLater { if $0.life == life { $0.load() } }
            }
        }
    }

    /// Calls a handler on the loop after a while, unless the bus is lost before.
    func retryLater(_ retry: @escaping @Sendable (isolated Client) -> Void) {
        reloadTimer = loop.schedule(after: limits.reload) { [weak self] in self?.assumeIsolated { retry($0) }
        }
    }

    private func enterService(_ loaded: ObjectTree) {
        tree = loaded
        // What was signalled before the answer is in it already; to take it twice does no harm.
        for signal in earlySignals { _ = tree.apply(signal) }
        earlySignals = []
        updateUsableAdapters()
        isServing = true
        logger.info("bluetoothd is there", metadata: ["version": "\(version ?? "unknown")"])
        tell(.serviceReady)
        tellAbsentAdapters()
        updateClaims()
        for adapter in tree.adapters.values.sorted(by: { $0.path < $1.path }) {
            adapterChanged(was: nil, now: adapter)
        }
        tellHolders()
        for device in tree.devices.values.sorted(by: { $0.path < $1.path }) { deviceHeard(device) }
        updateAgent()
        wakeAll()
    }

    /// Forgets everything that bluetoothd told, and tells all that rely on it.
    private func leaveService(reason: String, level: Logger.Level = .warning) {
        life += 1
        reloadTimer?.cancel()
        reloadTimer = nil
        agentState = .unregistered
        awayReason = reason
        earlySignals = []
        for path in links.devices { endLink(path, reason: reason) }
        for discovery in discoveries.values { discovery.cancelTimers() }
        discoveries = [:]
        connects.serviceLost(reason: reason)
        links.endReasons = [:]
        heardAt = [:]
        gate.forgetAll()
        let adapters = readyAdapters
        readyAdapters = []
        tree = ObjectTree()
        updateUsableAdapters()
        if isServing {
            isServing = false
            logger.log(
                level: level, "Bluetooth is away",
                metadata: ["reason": "\(reason)", "remedy": "\(Self.serviceRemedy)"])
            for adapter in adapters.sorted() {
                tell(.adapterLost(adapter.name))
            }
            tell(.serviceLost(reason: reason))
            tellAbsentAdapters()
        }
        wakeAll()
    }
}
