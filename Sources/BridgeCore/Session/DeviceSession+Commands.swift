import BridgeContract
import BridgeParts
import Claims
import CoreMetrics
import DeviceKit
import Logging
import Messages

// Commands on their way to the device, and their answers.
extension DeviceSession {
    /// Takes a command that arrived on one of the device's topics. The session executes it, rejects it with an error,
    /// or leaves it to the bridge that owns the device. Until the owner is known, the command waits.
    func take(_ request: CommandRequest) {
        let request = desk.found(request)
        record(.command(request))
        if motion != nil, let entry = request.entry {
            motion?.observe(request, entry.command, of: family, hasPower: machine.hasPower, at: now)
        }
        let step = desk.receive(
            request, ownership, name: name, isReady: isReady, isFinished: life >= .finished)
        if let step { perform(step) }
        updateGate()
    }

    /// Executes or refuses the waiting commands, or leaves them to another bridge, once the owner of the device is
    /// known.
    func takeWaiting() {
        guard !ownership.isUnknown else { return }
        for step in desk.takeWaiting(isOurs: ownership.isOurs) { perform(step) }
    }

    /// Rejects the commands that wait, because this bridge will not find out which bridge owns the device.
    func refuseWaiting(_ error: CommandError) {
        for step in desk.refuseWaiting(error) { perform(step) }
    }

    /// How long a write takes to reach the device; nil if the device is offline. A command to a group allows for this
    /// time, so that all members can start together.
    var startLatency: Duration? { isReady ? desk.latency.value : nil }

    private func perform(_ step: CommandDesk.Step) {
        switch step {
        case .execute(let request): execute(request)
        case .refuse(let command, let error): answer(command, .failed(error))
        case .leave(let request): if let collector = request.collector { context.collected(nil, collector) }
        }
    }

    func execute(_ request: CommandRequest) {
        let situation = CommandDesk.Situation(
            name: name, now: now, date: context.time.date, clock: context.expiryClock, gate: gate,
            isReady: isReady, isOpen: life == .open)
        do throws(CommandError) {
            let admission = try desk.admit(
                request, situation, offline: CommandError(.deviceOffline, offlineMessage))
            if family.handedOver.contains(request.feature) { handOver.cancel() }
            guard !admission.isAbsorbed else { return }
            guard !admission.isDone else { return answer(admission.id, .ok) }
            awaitAnswers()
            feed(
                .command(admission.id, feature: request.feature, admission.arguments),
                isCounted: !request.isCopy)
            visitForCommand()
        } catch {
            answer(PendingCommand(refused: request), .failed(error))
        }
    }

    /// The error message for a command, since the device is not usable now.
    var offlineMessage: String {
        let reason = connector.supervision.reason.map { " (\($0))" } ?? ""
        return "\(name) is \(stage.rawValue)\(reason)"
    }

    /// Publishes and logs why a command that the device gives is refused.
    func refuse(given feature: String, _ error: CommandError) {
        let request = CommandRequest(
            IncomingMessage(topic: "", payload: [], isRetained: false, arrival: now), feature: feature)
        answer(PendingCommand(refused: request), .failed(error))
    }

    // MARK: Answers

    /// Answers a command. A second answer to the same command is dropped.
    func answer(_ id: CommandID, _ answer: Answer) {
        guard let command = desk.close(id) else {
            return logger.debug("a second answer to one command is dropped")
        }
        let absorbed = desk.closeAbsorbed(id)
        self.answer(command, answer)
        if !absorbed.isEmpty { answerAbsorbed(absorbed[...], answer) }
    }

    /// The number of absorbed stops that are answered in one turn of the event loop.
    private static let answersAtOnce = 256

    /// Answers stops that another stop absorbed, in batches, so that thousands of answers delay nothing else.
    private func answerAbsorbed(_ stops: ArraySlice<PendingCommand>, _ answer: Answer) {
        for stop in stops.prefix(Self.answersAtOnce) { self.answer(stop, answer) }
        let others = stops.dropFirst(Self.answersAtOnce)
        if !others.isEmpty { spawn { $0.answerAbsorbed(others, answer) } }
    }

    private func awaitAnswers() {
        if let moment = desk.nextReview() { startTimer(.answers, at: moment) }
    }

    /// Answers the commands that the state machine did not answer in time.
    func answersAreDue() {
        let error =
            isReady && connector.linked == nil
            ? CommandError(.deviceOffline, offlineMessage)
            : CommandError(.timeout, "no answer from the device in time")
        for id in desk.review(at: now) { answer(id, .failed(error)) }
        awaitAnswers()
    }

    private func answer(_ command: PendingCommand, _ answer: Answer) {
        guard !command.request.isCopy else { return }
        let elapsed = now - command.request.arrival
        counters.count(answer: answer, after: elapsed)
        logEnd(of: command, answer, after: elapsed)
        if case .ok = answer {
            commandTimer.recordNanoseconds(elapsed.nanoseconds)
        } else if command.request.isSpokenForElsewhere {
            return perform(.leave(command.request))
        }
        if let collector = command.request.collector { return context.collected(answer, collector) }
        guard let object = command.message(answer, after: elapsed, at: context.time.date) else { return }
        let message = publisher.answer(command.request, object)
        record(.message(message, isPrivate: false))
        context.broker.publish(message)
    }

    /// Fails all open commands, because the device can no longer answer them.
    func failPending(_ error: CommandError) {
        for id in desk.openIDs { answer(id, .failed(error)) }
    }
}
