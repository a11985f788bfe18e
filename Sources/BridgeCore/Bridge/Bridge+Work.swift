import BridgeContract
import BridgeParts
import DeviceKit
import JSON
import Logging
import Messages
import ServiceLifecycle

// The life cycle of the bridge, and its asynchronous jobs.
extension Bridge {
    /// Runs until the service group shuts down gracefully. Then stops every device, publishes `offline` for each
    /// device and for the bridge, and returns.
    ///
    /// - Throws: ``BridgeWithdrawal`` if another process has this bridge's id, after every device was stopped.
    public func run() async throws {
        await withGracefulShutdownHandler {
            // Without this preference, every job would start on another thread, and writes could overtake each other.
            await withTaskExecutorPreference(ports.executor) { await work() }
        } onGracefulShutdown: {
            self.jobs.continuation.yield { await $0.stop() }
        }
        logger.info("the bridge has stopped")
        if let withdrawal { throw withdrawal }
    }

    private func work() async {
        kept = KeptState(await ports.store.load())
        restoreDefaults()
        await loadLatches()
        await withDiscardingTaskGroup { group in
            group.addTask { await self.live() }
            begin()
            for await job in jobs.stream { group.addTask { await job(self) } }
            group.cancelAll()
        }
        ports.broker.onEvent { _ in }
        ports.radio.onEvent { _ in }
        ports.guardian.onEvent { _ in }
        timers.end()
        for session in fleet.all { session.leaveBridge() }
    }

    private func live() async {
        await withDiscardingTaskGroup { group in
            for await life in sessionTasks.stream { group.addTask { await life(self) } }
            group.cancelAll()
        }
    }

    enum Stage {
        case running
        /// The bridge stops the devices and starts nothing new.
        case stopping
        /// The bridge has published `offline` for its devices and itself, and publishes nothing more.
        case silent
    }

    var isStopping: Bool { stage != .running }

    func spawn(_ job: @escaping Job) { jobs.continuation.yield(job) }

    /// Spawns a job for a device. The job is skipped if the device's session has ended by then.
    func spawn(
        about session: DeviceSession,
        _ job: @escaping @Sendable (isolated Bridge, DeviceSession) async -> Void
    ) {
        let number = session.context.enter.number
        spawn { bridge in
            if let session = bridge.fleet.session(number: number) { await job(bridge, session) }
        }
    }

    /// Runs a job for several devices concurrently, and returns when all jobs are done.
    func withSessions(_ sessions: [DeviceSession], _ job: @escaping DeviceSession.Job) async {
        let numbers = sessions.map(\.context.enter.number)
        await withDiscardingTaskGroup { group in
            for number in numbers { group.addTask { await self.wait(job, of: number) } }
        }
    }

    func wait(_ job: DeviceSession.Job, of number: Int) async {
        if let session = fleet.session(number: number) { await job(session) }
    }

    /// Returns the ``DeviceSession/Entrance`` through which callbacks of the ports will reach a session that is about
    /// to be created.
    func entrance() -> DeviceSession.Entrance {
        DeviceSession.Entrance(bridge: self, number: fleet.takeNumber())
    }

    func run(_ number: Int) async {
        await fleet.session(number: number)?.run()
        fleet.end(number)
    }

    private func begin() {
        holdBack()
        warnOfTrace(at: ports.process.logLevel)
        followLog()
        followStalls()
        followGuardian()
        takeGroups()
        ports.broker.subscribe(
            peerFilters + holderFilters + rosterFilters + guardFilters + [familiesFilter]
                + [
                    TopicFilter(topics.requests), TopicFilter(topics.commonRequests),
                    TopicFilter(topics.own("echo"), qos: 0, receivesOwn: true),
                ] + groupCommands.filters.sorted { $0.filter < $1.filter })
        restoreGroupStates()
        announceBridge()
        beginRecordingFromStart()
        // The known devices get their names before any advertisement arrives, so that none of them is treated as new.
        let plan = planFleet(before: [])
        makeWay(for: plan)
        spawn { await $0.takeUp(plan) }
        reportPatterns()
        reportFamilies()
        armStats()
        ports.broker.onEvent { [weak self] event in self?.assumeIsolated { $0.handle(event) } }
        useAdvertisedData()
        ports.radio.onEvent { [weak self] event in self?.assumeIsolated { $0.handle(event) } }
    }

    /// Stops every device and publishes that the bridge is offline.
    func stop() async {
        guard !isStopping else { return }
        stage = .stopping
        logger.info("the bridge is stopping", metadata: ["devices": "\(fleet.count)"])
        endScans()
        let bonds = unfinishedBonds
        await withSessions(Array(fleet.all)) { await $0.close(.shutdown) }
        reports.endPause()
        reportDevicesInTime()
        groupReports.endPause()
        reportGroupsInTime()
        reportState("availability", .string("offline"))
        stage = .silent
        await withSessions(Array(fleet.all)) { await $0.ended() }
        for address in bonds { await forgetBond(address) }
        await endRecording(.shutdown)
        if withdrawal != nil {
            keep { $0.forgetTopicsOfTwin(isEstablished: twins.isEstablished, own: topics.own("")) }
        }
        if kept.isUnsaved { _ = await ports.store.save(kept.state) }
        await discovery.take()?.end()
        jobs.continuation.finish()
    }
}
