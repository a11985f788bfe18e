import Bluetooth
import CoreMetrics
import DeviceKit
import JSON
import Logging

extension DeviceSession {
    /// For how long a command that moves something is obeyed.
    private static let freshness = Duration.milliseconds(250)
    /// How long a state machine may take before the command is answered for it.
    private static let patience = Duration.seconds(30)

    // MARK: Commands

    /// Takes a command that arrived on one of the device's topics: carries it out, answers why not, or leaves it
    /// to the bridge that holds the device. Until it is known which one does, it waits.
    func take(_ request: CommandRequest) {
        if let command = features[request.feature]?.command { observe(request, command) }
        defer { updateGate() }
        let isStop = isStop(request)
        var request = request
        if isStop, isGated, request.collector == nil { request.isCopy = stopCopies.isCopy(request) }
        if isStop { noteStop(request) }
        if ownership.isNameShared, !isStop {
            return refuse(request, CommandError(.nameShared, sharedNameMessage))
        }
        if ownership.isOurs || isReady && isStop || life >= .finished && ownership.isUnknown {
            return execute(request)
        }
        guard ownership.isUnknown else { return passOver(request) }
        if let left = waiting.add(request, isStop: isStop) { passOver(left) }
    }

    /// Carries out what waited until this bridge speaks for the device, or forgets it because another one does.
    func takeWaiting() {
        guard !ownership.isUnknown else { return }
        refuseSurplus(CommandError(.busy, "\(WaitingCommands.capacity) commands waited already"))
        for entry in waiting.take() {
            guard ownership.isOurs else {
                passOver(entry.request)
                continue
            }
            if entry.isVoid, !isStop(entry.request) { drop(entry.request) } else { execute(entry.request) }
        }
    }

    /// Answers what waits until it is known which bridge speaks for the device: this one does not find out any more.
    func refuseWaiting(_ reason: String) {
        let entries = waiting.take()
        let error = CommandError(.deviceOffline, reason)
        refuseSurplus(error)
        for entry in entries { refuse(entry.request, error) }
    }

    /// Answers those that found too many waiting, or leaves that to the bridge that speaks for the device.
    private func refuseSurplus(_ error: CommandError) {
        for command in waiting.takeSurplus() {
            guard ownership.isOurs || ownership.isUnknown else {
                passOver(command.request)
                continue
            }
            refuse(command, error)
        }
    }

    /// Remembers that all that arrived before a stop of the whole device is void.
    func noteStop(_ request: CommandRequest) {
        guard let command = features[request.feature]?.command,
            CommandGate.isWholeStop(request, command)
        else { return }
        voidAll(before: request.arrival)
    }

    /// Makes void what arrived before a moment and is not carried out yet.
    func voidAll(before moment: Duration) {
        stopArrival = max(stopArrival ?? moment, moment)
        waiting.stopped()
    }

    private func isStop(_ request: CommandRequest) -> Bool {
        features[request.feature]?.command?.traits.contains(.stop) ?? false
    }

    /// Whether a command waited for so long, or may have, that its device must not move by it any more.
    private func isStale(_ request: CommandRequest, _ traits: Command.Traits) -> Bool {
        if traits.contains(.stop) { return false }
        return isQuarantined || traits.contains(.fleeting) && now - request.arrival > Self.freshness
    }

    /// Another bridge carries it out, and answers.
    private func passOver(_ request: CommandRequest) {
        if let collector = request.collector { world.collected(nil, collector) }
    }

    /// Answers a command that a stop came after.
    private func drop(_ request: CommandRequest) {
        refuse(request, CommandError(.deviceError, "dropped: a stop came after it"))
    }

    private func refuse(_ request: CommandRequest, _ error: CommandError) {
        refuse(PendingCommand(request: request, id: CommandGate.id(of: request), isQuiet: false), error)
    }

    private func refuse(_ command: PendingCommand, _ error: CommandError) {
        answer(open.open(command), .failed(error))
    }

    private func execute(_ request: CommandRequest) {
        guard let command = features[request.feature]?.command else {
            let known = features.commands.joined(separator: " ")
            return refuse(
                request,
                cannotVibrate(request.feature)
                    ?? CommandError(.unknownFeature, "\(request.feature): allowed: \(known)"))
        }
        let isStop = command.traits.contains(.stop)
        // A stop overtakes what waits at the broker's side too.
        if let stopArrival, request.arrival < stopArrival, !isStop { return drop(request) }
        if isStale(request, command.traits) {
            return refuse(
                request,
                CommandError(
                    .stall, "the bridge was late; what was sent meanwhile is not carried out"))
        }
        do throws(CommandError) {
            guard isStop || command.traits.contains(.latest) || rateLimit.take(at: now) else {
                throw CommandError(
                    .rateLimited, "at most \(rateLimit.perSecond) commands a second are taken")
            }
            let invocation = try CommandGate.admit(
                request, command, now: now, date: world.time.date, clock: world.expiryClock)
            guard request.collector == nil || family.takesFromGroup(request.feature, invocation.arguments)
            else {
                throw CommandError(
                    .notSupported,
                    "\(request.feature): not taken from a group: send it to the device itself")
            }
            guard open.count < WaitingCommands.capacity || isStop else {
                throw CommandError(.busy, "\(WaitingCommands.capacity) commands wait already")
            }
            guard isReady || (command.traits.contains(.kept) && life == .open) else {
                throw CommandError(.deviceOffline, offlineMessage)
            }
            let arguments = try resolve(request, invocation.arguments)
            let verdict = judge(request, arguments)
            if case .refused(let error) = verdict { throw error }
            let id = open.open(
                PendingCommand(
                    request: request, id: invocation.id, isQuiet: command.traits.contains(.latest)))
            if verdict == .alreadyAtRest { return answer(id, .ok) }
            startTimer(.command(id), at: now + Self.patience)
            countsEffects = !request.isCopy
            defer { countsEffects = true }
            feed(.command(id, feature: request.feature, arguments))
        } catch {
            refuse(request, error)
        }
    }

    /// Why a device takes nothing but stops while another one has its name.
    private var sharedNameMessage: String {
        let other = ownership.rival.map { "\($0.address) at the bridge \($0.bridge)" } ?? "another device"
        return "two connected devices are named \(name): \(address) here and \(other); "
            + "both obey stops only until one is given another name in its configuration"
    }

    /// Why the device takes no commands now.
    var offlineMessage: String {
        let reason = supervision.reason.map { " (\($0))" } ?? ""
        return "\(name) is \(supervision.state.rawValue)\(reason)"
    }

    // MARK: Answers

    /// Answers a command, once.
    func answer(_ id: CommandID, _ answer: Answer) {
        guard let command = open.close(id) else {
            return logger.debug("a second answer to one command is dropped")
        }
        timers.cancel(.command(id))
        guard !command.request.isCopy else { return }
        let time = now - command.request.arrival
        counters.count(answer: answer, after: time)
        if case .ok = answer { commandTimer.recordNanoseconds(time.nanoseconds) }
        if let collector = command.request.collector { return world.collected(answer, collector) }
        if case .ok = answer, command.isQuiet, command.id == nil, command.request.responseTopic == nil {
            return
        }
        let message = AnswerMessage(
            subject: ("feature", command.request.feature), answer: answer, id: command.id,
            elapsed: now - command.request.arrival, date: world.time.date)
        world.broker.publish(
            command.request.message(
                message.object, usually: outlet.topic("result") { world.topics.report(name, $0) },
                sequence: outlet.nextSequence("result")))
    }

    /// Answers all that wait, because the device cannot any more.
    func failPending(_ code: CommandError.Code, _ message: String) {
        for id in open.ids { answer(id, .failed(code, message)) }
    }
}
