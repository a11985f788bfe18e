import DeviceKit
import JSON
import Logging

// How requests are carried out and answered.
extension Bridge {
    /// A request on its way to its answer.
    struct PendingRequest: Sendable {
        var request: CommandRequest
        /// The sender's `id`.
        var id: JSON.Value?
    }

    /// Carries out a request and answers it.
    func carryOut(_ request: CommandRequest) {
        let known = Self.requests(families)
        var pending = PendingRequest(request: request)
        do throws(CommandError) {
            guard let command = known.first(where: { $0.name == request.feature })?.command else {
                throw CommandError(
                    .unknownFeature,
                    "\(request.feature): allowed: \(known.map(\.name).joined(separator: " "))")
            }
            guard requestLimit.take(at: world.time.now) else {
                throw CommandError(
                    .rateLimited, "at most \(requestLimit.perSecond) requests a second are taken")
            }
            let invocation = try CommandGate.admit(
                request, command, now: world.time.now, date: world.time.date, clock: expiryClock)
            pending.id = invocation.id
            try carryOut(pending, invocation.arguments)
        } catch {
            refuse(pending, error)
        }
    }

    private func carryOut(_ pending: PendingRequest, _ arguments: Arguments) throws(CommandError) {
        switch pending.request.feature {
        case "permit_join": answer(pending, .ok(try permitJoin(arguments)))
        case "forget": try forget(try device(of: arguments), pending)
        case "rename": answer(pending, .ok(try rename(try device(of: arguments), arguments)))
        case "connect": connect(try device(of: arguments), pending)
        case "disconnect": disconnect(try device(of: arguments), pending)
        case "pair": try pair(try device(of: arguments), pending)
        case "log_level": answer(pending, .ok(changeLogLevel(arguments)))
        case "reload": reload(for: pending)
        case "health_check": answer(pending, .ok(health))
        case "devices": answer(pending, .ok(["devices": deviceList]))
        default: throw CommandError(.internal, "\(pending.request.feature) is declared, but not carried out")
        }
    }

    /// The device that a request names.
    private func device(of arguments: Arguments) throws(CommandError) -> DeviceSession {
        let name = arguments.text("device") ?? ""
        guard let session = session(named: name) else {
            let known = names.all.joined(separator: " ")
            throw CommandError(.unknownDevice, "\(name): the bridge looks after: \(known)")
        }
        return session
    }

    func answer(_ pending: PendingRequest, _ answer: Answer) {
        let request = pending.request
        let message = AnswerMessage(
            subject: ("request", request.feature), answer: answer, id: pending.id,
            elapsed: world.time.now - request.arrival, date: world.time.date)
        world.broker.publish(
            request.message(message.object, usually: topics.response(request.feature), sequence: nil))
    }

    func refuse(_ pending: PendingRequest, _ error: CommandError) {
        logger.warning(
            "request refused", metadata: ["request": "\(pending.request.feature)", "reason": "\(error)"])
        var pending = pending
        pending.id = pending.id ?? CommandGate.id(of: pending.request)
        answer(pending, .failed(error))
    }

    // MARK: The bridge's own

    private func changeLogLevel(_ arguments: Arguments) -> JSON.Object {
        let before = world.process.logLevel
        let level = arguments.text("level").flatMap { Logger.Level(rawValue: $0) } ?? before
        world.process.logLevel = level
        logger.notice("the log level was changed", metadata: ["from": "\(before)", "to": "\(level)"])
        return ["level": .string(level.rawValue), "before": .string(before.rawValue)]
    }

    private var health: JSON.Object {
        var problems = radioState.isReady ? [] : [radioState.reason ?? "no Bluetooth adapter is ready"]
        problems += refusals.sorted { $0.key < $1.key }.map { "the broker refuses \($0.key): \($0.value)" }
        if let pathProblem { problems.append(pathProblem) }
        for session in sessions.values.sorted(by: { $0.address < $1.address }) {
            guard session.stage == .error else { continue }
            problems.append("\(session.offlineMessage)")
        }
        return [
            "healthy": .bool(problems.isEmpty), "problems": .array(problems.map { .string($0) }),
            "uptime_s": .integer((world.time.now - startedAt).milliseconds / 1000),
            "broker": brokerVersion.map { .string($0) } ?? .null,
            "bluez": radioDescription.version.map { .string($0) } ?? .null,
            "adapters": .array(adapters.sorted().map { .string($0) }),
            "devices": .integer(sessions.count),
            "online": .integer(sessions.values.count { $0.isReady }),
        ]
    }
}
