import Bluetooth
import BridgeContract
import BridgeParts
import Claims
import DeviceKit
import JSON
import Logging

// How the bridge carries out and answers requests.
extension Bridge {
    func carryOut(_ request: CommandRequest) {
        var pending = PendingRequest(request: request, bridge: request.isCommon ? settings.id : nil)
        do throws(CommandError) {
            let (kind, command) = try requests.take(request.feature, at: ports.time.now)
            let invocation = try CommandGate.admit(
                request, command, now: ports.time.now, date: ports.time.date, clock: expiryClock)
            pending.id = invocation.id
            guard !isOthers(pending, invocation.arguments) else { return }
            try carryOut(kind, pending, invocation.arguments)
        } catch {
            refuse(pending, error)
        }
    }

    private func carryOut(
        _ request: BridgeFeatures.Request, _ pending: PendingRequest, _ arguments: Arguments
    ) throws(CommandError) {
        switch request {
        case .permitJoin:
            answer(pending, .ok(try permitJoin(BridgeFeatures.permitJoin(families).parse(arguments))))
        case .forget: try forget(try device(BridgeFeatures.forget, arguments), pending)
        case .rename: answer(pending, .ok(try rename(BridgeFeatures.rename.parse(arguments))))
        case .connect:
            let device = try device(BridgeFeatures.connect, arguments)
            try refuseWhileDraining()
            connect(device, pending)
        case .disconnect: disconnect(try device(BridgeFeatures.disconnect, arguments), pending)
        case .pair:
            let device = try device(BridgeFeatures.pair, arguments)
            try refuseWhileDraining()
            try pair(device, pending)
        case .drain: drain(pending)
        case .undrain: answer(pending, .ok(undrain()))
        case .logLevel: answer(pending, .ok(changeLogLevel(try BridgeFeatures.logLevel.parse(arguments))))
        case .reload: reload(for: pending)
        case .defaults: answer(pending, .ok(changeDefaults(arguments)))
        case .record: try record(BridgeFeatures.record.parse(arguments), pending)
        case .backup: answer(pending, .ok(backup))
        case .restore: restore(arguments, pending)
        case .healthCheck: answer(pending, .ok(health))
        case .pattern: answer(pending, .ok(try pattern(arguments)))
        case .lastReport: answer(pending, .ok(try lastReport(BridgeFeatures.lastReport.parse(arguments))))
        case .scan: try scan(BridgeFeatures.scan.parse(arguments), pending)
        case .devices: answer(pending, .ok(["devices": deviceList]))
        }
    }

    /// Returns the device of a request whose only argument is a device.
    private func device(
        _ request: RequestHandle<OneArgument<String>>, _ arguments: Arguments
    ) throws(CommandError) -> DeviceSession {
        try device(named: request.parse(arguments).value)
    }

    /// Returns the device with a name; throws if no device has the name.
    func device(named name: String) throws(CommandError) -> DeviceSession {
        guard let session = fleet.session(named: name) else {
            throw CommandError.unknown(.unknownDevice, name, among: fleet.names.all)
        }
        return session
    }

    /// Whether another bridge answers this request: the request was sent to all bridges, and this bridge does not own
    /// the device that the request names.
    private func isOthers(_ pending: PendingRequest, _ arguments: Arguments) -> Bool {
        guard pending.request.isCommon, let name = arguments.text("device") else { return false }
        guard let session = fleet.session(named: name) else { return broker.peers.hasOthers }
        return session.ownership.isStandby
    }

    func answer(_ pending: PendingRequest, _ answer: Answer) {
        logger.debug(
            "request answered",
            metadata: ["request": "\(pending.request.feature.excerpt)", "answer": "\(answer.summary)"])
        ports.broker.publish(pending.message(answer, at: ports.time.now, date: ports.time.date, topics))
    }

    func refuse(_ pending: PendingRequest, _ error: CommandError) {
        let (level, unsaid) = log.refusedRequests.take(as: .warning, at: ports.time.now)
        logger.log(
            level: level, "request refused",
            metadata: [
                "request": "\(pending.request.feature.excerpt)", "reason": "\(error.description.excerpt)",
            ].adding(unsaid: unsaid))
        var pending = pending
        pending.id = pending.id ?? CommandGate.id(of: pending.request)
        answer(pending, .failed(error))
    }

    // MARK: Requests about the bridge itself

    private func changeLogLevel(_ asked: BridgeFeatures.LogLevel) -> JSON.Object {
        let (level, subsystem) = (asked.level, asked.subsystem)
        let before = subsystem.map(ports.process.logLevel) ?? ports.process.logLevel
        var metadata: Logger.Metadata = ["from": "\(before)", "to": "\(level)"]
        var report: JSON.Object = ["level": .string(level.rawValue), "before": .string(before.rawValue)]
        if let subsystem {
            ports.process.setLogLevel(level, of: subsystem)
            metadata["subsystem"] = "\(subsystem)"
            report["subsystem"] = .string(subsystem.rawValue)
        } else {
            ports.process.logLevel = level
        }
        logger.notice("the log level was changed", metadata: metadata)
        warnOfTrace(at: level)
        return report
    }

    private var health: JSON.Object {
        let state = radio.state
        var problems = state.isReady ? [] : [state.reason ?? "no Bluetooth adapter is ready"]
        problems += broker.status.refusals.sorted { $0.key < $1.key }.map { topic, reason in
            "the broker refuses \(topic): \(reason)"
        }
        problems += radio.problems
        if let pathProblem { problems.append(pathProblem) }
        if let guardianProblem { problems.append(guardianProblem) }
        problems += nameProblems
        for session in fleet.inOrder {
            guard session.stage == .error else { continue }
            problems.append("\(session.offlineMessage)")
        }
        return [
            "healthy": .bool(problems.isEmpty), "problems": .array(problems.map { .string($0) }),
            "uptime_s": .integer(record.uptime(at: ports.time.now)),
            "broker": broker.status.version.map { .string($0) } ?? .null,
            "bluez": radio.description.version.map { .string($0) } ?? .null,
            "adapters": .array(radio.readyAdapters.map { .string($0) }),
            "devices": .integer(fleet.count),
            "online": .integer(fleet.onlineCount),
        ]
    }
}
