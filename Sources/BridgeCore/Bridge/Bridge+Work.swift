import BridgeContract
import BridgeParts
import DeviceKit
import JSON
import Logging
import Messages
import ServiceLifecycle

// The life of the bridge: what it does from its start to its end, and the work in it that waits.
extension Bridge {
    /// Works until the service group shuts down gracefully: then stops every device, says goodbye for each and
    /// for itself, and returns.
    ///
    /// - Throws: ``BridgeWithdrawal`` if another process has this bridge's id, after every device was stopped.
    public func run() async throws {
        await withGracefulShutdownHandler {
            // Without it every job would begin on another thread, and writes could overtake each other.
            await withTaskExecutorPreference(world.executor) { await work() }
        } onGracefulShutdown: {
            self.jobs.continuation.yield { await $0.stop() }
        }
        logger.info("the bridge has stopped")
        if let withdrawal { throw withdrawal }
    }

    private func work() async {
        kept = KeptState(await world.store.load())
        restoreDefaults()
        await loadLatches()
        await withDiscardingTaskGroup { group in
            group.addTask { await self.live() }
            begin()
            for await job in jobs.stream { group.addTask { await job(self) } }
            group.cancelAll()
        }
        world.broker.onEvent { _ in }
        world.radio.onEvent { _ in }
        world.guardian.onEvent { _ in }
        clockwork.end()
        for session in fleet.all { session.leaveBridge() }
    }

    /// Lets sessions work until the bridge ends.
    private func live() async {
        await withDiscardingTaskGroup { group in
            for await life in lives.stream { group.addTask { await life(self) } }
            group.cancelAll()
        }
    }

    /// How far the bridge is on its way to its end.
    enum Stage {
        case running
        /// The devices are made safe; nothing new begins.
        case stopping
        /// The bridge has said that it is offline, its last word.
        case silent
    }

    var isStopping: Bool { stage != .running }

    func spawn(_ job: @escaping Job) { jobs.continuation.yield(job) }

    /// The same for work about one device, which is left out if the device's session has ended before.
    func spawn(
        about session: DeviceSession,
        _ job: @escaping @Sendable (isolated Bridge, DeviceSession) async -> Void
    ) {
        let number = session.world.enter.number
        spawn { bridge in
            if let session = bridge.fleet.session(number: number) { await job(bridge, session) }
        }
    }

    /// Does something that waits with several devices at once; returns when it is done with all of them.
    func withSessions(_ sessions: [DeviceSession], _ job: @escaping DeviceSession.Job) async {
        let numbers = sessions.map(\.world.enter.number)
        await withDiscardingTaskGroup { group in
            for number in numbers { group.addTask { await self.wait(job, of: number) } }
        }
    }

    /// Does something that waits with a device.
    func wait(_ job: DeviceSession.Job, of number: Int) async {
        if let session = fleet.session(number: number) { await job(session) }
    }

    /// A way into a session that is about to be made.
    func entrance() -> DeviceSession.Entrance {
        DeviceSession.Entrance(bridge: self, number: fleet.takeNumber())
    }

    /// Runs a session until it has ended.
    func run(_ number: Int) async {
        await fleet.session(number: number)?.run()
        fleet.end(number)
    }

    private func begin() {
        holdBack()
        warnOfTrace(at: world.process.logLevel)
        followLog()
        followStalls()
        followGuardian()
        takeGroups()
        world.broker.subscribe(
            peerFilters + holderFilters + rosterFilters + guardFilters + [familiesFilter]
                + [
                    TopicFilter(topics.requests), TopicFilter(topics.commonRequests),
                    TopicFilter(topics.own("echo"), qos: 0, receivesOwn: true),
                ] + groupCommands.filters.sorted { $0.filter < $1.filter })
        announceBridge()
        beginRecordingFromStart()
        // The known devices have their names before anything is heard: none of them is taken for new.
        let plan = planFleet(before: [])
        makeWay(for: plan)
        spawn { await $0.takeUp(plan) }
        reportPatterns()
        reportFamilies()
        armStats()
        world.broker.onEvent { [weak self] event in self?.assumeIsolated { $0.handle(event) } }
        world.radio.onEvent { [weak self] event in self?.assumeIsolated { $0.handle(event) } }
    }

    /// Stops every device and says goodbye.
    func stop() async {
        guard !isStopping else { return }
        stage = .stopping
        logger.info("stopping", metadata: ["devices": "\(fleet.count)"])
        endScans()
        let bonds = unfinishedBonds
        await withSessions(Array(fleet.all)) { await $0.close(.shutdown) }
        reports.endPause()
        reportDevicesInTime()
        reportState("availability", .string("offline"))
        stage = .silent
        await withSessions(Array(fleet.all)) { await $0.ended() }
        for address in bonds { await forgetBond(address) }
        await endRecording(.shutdown)
        if withdrawal != nil {
            keep { $0.forgetTopicsOfTwin(isEstablished: twins.isEstablished, own: topics.own("")) }
        }
        if kept.isUnsaved { _ = await world.store.save(kept.state) }
        await discovery.take()?.end()
        jobs.continuation.finish()
    }
}
