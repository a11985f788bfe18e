import Bluetooth
import BridgeContract
import BridgeParts
import DeviceKit
import JSON
import Logging
import Messages

// The configuration is read anew while the bridge runs.
extension Bridge {
    /// Reads the configuration anew and applies what changed; what became of it is in the log and an event.
    ///
    /// If it is not valid nothing changes. Asked while it is under way, it is done once more afterwards.
    public func reload() { reload(for: nil) }

    /// The same for a request that wants an answer.
    func reload(for pending: PendingRequest?) {
        if reloads.want(for: pending) { spawn { await $0.reloadAll() } }
    }

    private func reloadAll() async {
        while !isStopping, let requests = reloads.next() {
            do throws(ConfigurationError) {
                let report = try await reloadOnce()
                let answer = report.map { Answer.ok($0) } ?? .failed(.busy, "the bridge is stopping")
                for request in requests { self.answer(request, answer) }
            } catch {
                for problem in error.problems {
                    logger.error(
                        "the configuration is not valid; nothing was changed",
                        metadata: ["reason": "\(problem)"])
                }
                let message = "the configuration is not valid; nothing was changed: \(error)"
                for request in requests { refuse(request, CommandError(.invalidValue, message)) }
            }
        }
    }

    /// Returns what was done; nil if the bridge ends meanwhile.
    private func reloadOnce() async throws(ConfigurationError) -> JSON.Object? {
        let read = try await world.configuration.reload()
        let before = settings
        let familiesBefore = families
        if let families = read.families {
            use(families)
            reportFamilies()
        }
        settings = read.settings
        // These are part of every topic, and of the last will.
        (settings.id, settings.baseTopic) = (before.id, before.baseTopic)
        settings.defaults = before.defaults
        let leaving = planFleet(before: before.devices)
        stopForReload(leaving)
        await closeLeaving(leaving)
        guard !isStopping else { return nil }
        useGroups()
        moveAnnouncements(from: before.homeAssistant)
        let plan = planFleet(before: before.devices)
        await carryOut(plan)
        guard !isStopping else { return nil }
        for member in plan.removed { reportEvent("device_left", Self.describe(member)) }
        for member in plan.added { reportEvent("device_joined", Self.describe(member)) }
        useSettings(before)
        return report(read, plan, familiesBefore)
    }

    /// Stops the robots that a plan changes: nobody drives on under settings or a name that change. Other devices ignore
    /// this cause.
    private func stopForReload(_ plan: FleetPlan) {
        let members = plan.removed + (plan.changed + plan.renamed).map(\.before)
        for member in members { fleet[member.address]?.feed(.stop(.reload)) }
    }

    static func describe(_ member: FleetPlan.Member) -> JSON.Object {
        [
            "device": .string(member.name), "family": .string(member.family),
            "address": .string(member.address.description),
        ]
    }

    func useGroups() {
        let before = groupCommands.filters
        takeGroups()
        reportDevices()
        let (gone, new) = (
            before.subtracting(groupCommands.filters), groupCommands.filters.subtracting(before)
        )
        if !gone.isEmpty { endSubscriptions(gone.map(\.filter).sorted()) }
        if !new.isEmpty { world.broker.subscribe(new.sorted { $0.filter < $1.filter }) }
    }

    /// Puts into force what is not about single devices. New patterns are announced, and with them everything else
    /// that is new about a device.
    private func useSettings(_ before: BridgeSettings) {
        use(settings.patterns)
        if settings.statsInterval != before.statsInterval { armStats() }
        if settings.heartbeat != before.heartbeat { useHeartbeat() }
        if settings.zone != before.zone { reportInfo() }
        slots.setting = settings.slots
        if settings.slots != before.slots {
            useSlots()
            reportInfo()
        }
        useRoster(before)
        if settings.brokerLogLevel != before.brokerLogLevel { followLog() }
        warnOfTrace(at: world.process.logLevel)
        if settings.join == .configured { endPermit(.ended) }
        updateDiscovery()
        // The broker's rules may have changed: a reload has them tried at once.
        world.broker.retryRefused()
    }

    // MARK: What became of it

    /// The families that came, went or changed, and those whose devices cannot be used, with the reason.
    private static func describe(
        _ before: [any DeviceFamily], _ now: [any DeviceFamily]
    ) -> JSON.Object {
        let old = Dictionary(before.map { ($0.name, $0.revision) }) { first, _ in first }
        let names = Set(now.map(\.name))
        func texts(_ texts: [String]) -> JSON.Value { .array(texts.map { .string($0) }) }
        return [
            "added": texts(now.map(\.name).filter { old[$0] == nil }),
            "removed": texts(before.map(\.name).filter { !names.contains($0) }),
            "changed": texts(
                now.filter { old[$0.name].map { [revision = $0.revision] in $0 != revision } ?? false }
                    .map(\.name)),
            "faults": .object(
                JSON.Object(now.compactMap { family in family.fault.map { (family.name, .string($0)) } })),
        ]
    }

    private func report(
        _ read: ReloadedConfiguration, _ plan: FleetPlan, _ familiesBefore: [any DeviceFamily]
    ) -> JSON.Object {
        func texts(_ texts: [String]) -> JSON.Value { .array(texts.map { .string($0) }) }
        let moves = (plan.renamed + plan.changed).filter { $0.before.name != $0.after.name }
        let report: JSON.Object = [
            "added": texts(plan.added.map(\.name)), "removed": texts(plan.removed.map(\.name)),
            "renamed": .array(
                moves.map { ["device": .string($0.before.name), "to": .string($0.after.name)] }),
            "changed": texts(plan.changed.map(\.after.name)), "settings": texts(read.changed),
            "restart_needed": texts(read.restartNeeded), "overridden": texts(reportOverridden()),
            "families": .object(Self.describe(familiesBefore, families)),
            "left_out": texts(read.leftOut), "ignored": texts(read.ignored),
        ]
        for problem in read.leftOut {
            logger.error("a file is left out", metadata: ["reason": "\(problem)"])
        }
        for warning in read.warnings { logger.warning("\(warning)") }
        for path in read.restartNeeded {
            logger.warning(
                "a changed setting takes effect only after a restart", metadata: ["setting": "\(path)"])
        }
        logger.notice("the configuration was reloaded", metadata: Self.metadata(report))
        reportEvent("config_reloaded", report)
        return report
    }

    /// What changed, for the log: lists that are empty are left out, and families are named beside devices.
    private static func metadata(_ report: JSON.Object) -> Logger.Metadata {
        var metadata = Logger.Metadata()
        for member in report.members where !["left_out", "ignored", "overridden"].contains(member.key) {
            if let list = member.value.array, !list.isEmpty { metadata[member.key] = "\(member.value)" }
            for part in member.value.object?.members ?? [] {
                guard let list = part.value.array, !list.isEmpty else { continue }
                metadata["\(member.key)_\(part.key)"] = "\(part.value)"
            }
        }
        return metadata
    }
}
