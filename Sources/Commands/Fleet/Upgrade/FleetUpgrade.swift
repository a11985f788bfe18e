package import BridgeConfiguration
package import EventLoop
package import HostServices
import JSON
import Synchronization
import UnixSignals

/// Carries out the steps of an upgrade in waves.
package actor FleetUpgrade {
    typealias Step = UpgradeProgress.Step
    typealias Failure = UpgradeProgress.Failure

    /// The hosts that are drained, undrained or upgraded at the same time.
    private static let parallel = 16
    /// How long a step waits for the bridges that it addresses.
    static let patience = Duration.seconds(30)
    /// How long a gate may fail after the wait, for example while a device changes hosts.
    private static let grace = Duration.seconds(10)

    let plan: UpgradePlan
    let options: UpgradeOptions
    let settings: Settings
    let client: FleetClient
    let loop: EventLoop
    let report: @Sendable (String) -> Void
    /// The number of interrupts by signals. The first stops the upgrade, the next also terminates hooks.
    let interrupts = Interrupts()
    var gates: WaveGates?

    /// - Parameters:
    ///   - client: The client of the fleet's broker.
    ///   - loop: The event loop of requests.
    ///   - report: Receives lines for the user.
    package init(
        _ plan: UpgradePlan, _ options: UpgradeOptions, _ settings: Settings, _ client: FleetClient,
        on loop: EventLoop, report: @escaping @Sendable (String) -> Void
    ) {
        (self.plan, self.options, self.settings, self.client) = (plan, options, settings, client)
        (self.loop, self.report) = (loop, report)
    }

    /// Upgrades all waves, or until a step fails or a signal interrupts it. Then no host is left drained.
    ///
    /// - Returns: Whether all waves were upgraded.
    package func run() async throws(CommandFailure) -> Bool {
        if options.needsStats { try await client.follow([client.fleet.statsFilter]) }
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm, .sighup)
        let progress = await withTaskGroup { group in
            group.addTask { [interrupts, report] in
                for await _ in signals {
                    let hint = interrupts.add() == 1 ? "; another signal terminates running hooks" : ""
                    report("Interrupted: the upgrade stops, and no host stays drained\(hint)")
                }
            }
            let progress = await carryOut()
            group.cancelAll()
            return progress
        }
        for line in progress.summary(plan, await client.fleet) { report(line) }
        return progress.isComplete
    }

    private func carryOut() async -> UpgradeProgress {
        var progress = UpgradeProgress(plan)
        while let step = progress.step {
            announce(step, progress.wave)
            var result = UpgradeProgress.Result()
            switch step.action {
            case .measure: result.failures = await measure(step)
            case .drain: result.failures = await drain(step)
            case .install: result = await install(step)
            case .return: result.failures = await waitForReturn(step)
            case .undrain: result.failures = await undrain(step)
            case .check: result.failures = await check(step)
            }
            result.isInterrupted = interrupts.count > 0
            // A wait that a signal ended has no result.
            let isWait = [.measure, .return, .check].contains(step.action)
            if result.isInterrupted, isWait { result.failures = [] }
            for failure in result.failures { report("\(failure.bridge): \(failure.reason)") }
            progress.finish(result)
        }
        return progress
    }

    private func announce(_ step: Step, _ wave: Int) {
        let names = step.hosts.map(\.bridge).joined(separator: " ")
        let head = "wave \(wave) of \(plan.waves.count)"
        switch step.action {
        case .measure: report("\(head): \(names)")
        case .drain where step.isRollback: report("\(head) failed; restoring the former version of \(names)")
        case .check:
            report(
                "\(head): waiting \(options.wait.components.seconds) s for the gates "
                    + options.gates.map(\.rawValue).joined(separator: " "))
        case .drain, .install, .return, .undrain: break
        }
    }

    // MARK: Steps

    /// Records the state before the upgrade, once every host of the wave has published metrics.
    private func measure(_ step: Step) async -> [Failure] {
        let ids = step.hosts.map(\.bridge)
        if options.needsStats {
            let fleet = await wait(within: options.wait + Self.grace) { fleet in
                ids.allSatisfy { fleet.bridges[$0]?.stats.isEmpty == false }
            }
            let limit = Int(options.wait.components.seconds)
            let late = ids.filter { (fleet.bridges[$0]?.stats["interval_s"]?.integer ?? .max) > limit }
            guard late.isEmpty else {
                return late.map {
                    Failure(
                        bridge: $0,
                        reason: "published no stats, or less often than every \(limit) s: the gates errors "
                            + "and latency need bridge.stats_interval_s of at most --wait")
                }
            }
        }
        gates = WaveGates(options.gates, of: step.hosts, await client.fleet)
        return []
    }

    private func drain(_ step: Step) async -> [Failure] {
        let fleet = await client.fleet
        // A bad version may be offline; then it has no link to a device.
        let hosts = step.hosts.filter { !step.isRollback || fleet.bridges[$0.bridge]?.isOnline == true }
        return await forEach(hosts) { host in
            do throws(CommandFailure) {
                let answer = try await self.ask(host, "drain")
                let names = answer["devices"]?.array?.compactMap(\.string) ?? []
                self.report("\(host.bridge): drained: \(names.isEmpty ? "-" : names.joined(separator: " "))")
                return nil
            } catch { return "drain: \(error)" }
        }
    }

    private func install(_ step: Step) async -> UpgradeProgress.Result {
        let started = Mutex<Set<String>>([])
        let failures = await forEach(step.hosts) { host in
            let isAllowed = self.interrupts.count == 0
            guard isAllowed else { return nil }
            started.withLock { _ = $0.insert(host.bridge) }
            return await self.callHook(host, step)
        }
        return UpgradeProgress.Result(failures: failures, started: started.withLock { $0 })
    }

    private func waitForReturn(_ step: Step) async -> [Failure] {
        let (version, isRollback) = (plan.version, step.isRollback)
        @Sendable func isBack(_ host: UpgradePlan.Host, _ fleet: FleetSnapshot) -> Bool {
            let bridge = fleet.bridges[host.bridge]
            return bridge?.isOnline == true
                && bridge?.info["version"]?.string == (isRollback ? host.former : version)
        }
        let fleet = await wait(within: options.timeout) { fleet in
            step.hosts.allSatisfy { isBack($0, fleet) }
        }
        gates?.note(returned: fleet)
        return step.hosts.compactMap { host in
            let (bridge, wanted) = (fleet.bridges[host.bridge], isRollback ? host.former : version)
            if isBack(host, fleet) {
                report("\(host.bridge): online with version \(wanted)")
                return nil
            }
            let found = bridge?.isOnline == true ? bridge?.info["version"]?.string ?? "?" : "offline"
            return Failure(
                bridge: host.bridge,
                reason: "not online with version \(wanted) within \(options.timeout.components.seconds) s; "
                    + "found: \(found)")
        }
    }

    private func undrain(_ step: Step) async -> [Failure] {
        // After an interrupt, a bridge may still be starting; another interrupt ends this wait.
        _ = await wait(within: Self.patience, ignoring: interrupts.count) { fleet in
            step.hosts.allSatisfy { fleet.bridges[$0.bridge]?.isOnline == true }
        }
        return await forEach(step.hosts, always: true) { host in
            do throws(CommandFailure) {
                _ = try await self.ask(host, "undrain")
                return nil
            } catch { return "undrain: \(error)" }
        }
    }

    private func check(_ step: Step) async -> [Failure] {
        guard let gates else { return [] }
        let version = plan.version
        let fleet = await wait(within: options.wait) { gates.hasRestarted($0) }
        guard !gates.hasRestarted(fleet) else { return gates.failures(version, fleet) }
        let limit = Self.grace + (options.needsStats ? gates.longestInterval : .zero)
        return gates.failures(
            version, await wait(within: limit) { gates.failures(version, $0).isEmpty })
    }

    // MARK: Waiting

    /// Waits until the fleet meets a condition, until the time limit, or until a signal.
    ///
    /// - Parameter ignoring: The number of earlier signals that do not end the wait.
    private func wait(
        within limit: Duration, ignoring earlier: Int = 0,
        until isMet: @escaping @Sendable (FleetSnapshot) -> Bool
    ) async -> FleetSnapshot {
        let end = EventLoop.now + limit
        while EventLoop.now < end, interrupts.count <= earlier {
            let fleet = await client.fleet
            if isMet(fleet) { return fleet }
            // An error means that the connection to the broker was lost; the client connects again.
            _ = try? await client.wait(
                within: min(.milliseconds(200), end - EventLoop.now), until: isMet)
        }
        return await client.fleet
    }

    /// Works on several hosts at the same time. After a failure or a signal, no further work starts.
    ///
    /// - Parameter always: Whether the work is done for every host, even after a failure or a signal.
    private func forEach(
        _ hosts: [UpgradePlan.Host], always: Bool = false,
        _ work: @escaping @Sendable (UpgradePlan.Host) async -> String?
    ) async -> [Failure] {
        await withTaskGroup(of: Failure?.self) { group in
            var (failures, waiting) = ([Failure](), hosts[...])
            func start() {
                guard always || failures.isEmpty && interrupts.count == 0, let host = waiting.popFirst()
                else { return }
                group.addTask {
                    await work(host).map { Failure(bridge: host.bridge, reason: $0) }
                }
            }
            for _ in 0..<Self.parallel { start() }
            for await failure in group {
                if let failure { failures.append(failure) }
                start()
            }
            return failures
        }
    }
}
