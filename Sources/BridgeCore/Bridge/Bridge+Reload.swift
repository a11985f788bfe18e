import Bluetooth
import BridgeContract
import BridgeParts
import DeviceKit
import JSON
import Logging
import Messages

// Reload of the configuration while the bridge runs.
extension Bridge {
    /// Reads the configuration again and applies its changes. The log and an event report the result.
    ///
    /// An invalid configuration changes nothing. A reload that is requested during another reload follows it.
    public func reload() { reload(for: nil) }

    /// Reloads the configuration and answers the request.
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

    /// Returns the report of the reload; nil if the bridge stops during it.
    private func reloadOnce() async throws(ConfigurationError) -> JSON.Object? {
        let read = try await ports.configuration.reload()
        let before = settings
        let familiesBefore = families
        if let families = read.families {
            use(families)
            reportFamilies()
        }
        settings = read.settings
        // The id and the base topic stay: every topic and the last will contain them.
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

    /// Stops the robots that a plan changes, so that no robot moves while its settings or its name change. Other
    /// devices ignore this cause of a stop.
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
        // No stop may be lost in between.
        if !new.isEmpty { ports.broker.subscribe(new.sorted { $0.filter < $1.filter }) }
        if !gone.isEmpty { endSubscriptions(gone.map(\.filter).sorted()) }
        // The stop of the zone is one of the stops that a robot needs.
        if !new.isEmpty || !gone.isEmpty { for session in fleet.all { tellMissingStops(session) } }
    }

    /// Applies the settings that do not concern single devices. New patterns are announced, together with all other
    /// changes of devices.
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
        warnOfTrace(at: ports.process.logLevel)
        if settings.join == .configured { endPermit(.ended) }
        updateDiscovery()
        // The access rules of the broker may have changed, so refused messages are retried immediately.
        ports.broker.retryRefused()
    }

    // MARK: Report

    /// The families that were added, removed or changed, and the families with a fault, each with the reason for the
    /// fault.
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
            logger.error("a file is ignored", metadata: ["reason": "\(problem)"])
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

    /// The changes, for the log. Empty lists are omitted, and families are listed next to devices.
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
