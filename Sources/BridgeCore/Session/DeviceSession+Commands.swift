import Bluetooth
import DeviceKit
import JSON
import Logging

extension DeviceSession {
    /// How many commands may wait for their answers.
    private static let capacity = 256
    /// How long a state machine may take before the command is answered for it.
    private static let patience = Duration.seconds(30)

    // MARK: Commands

    /// Takes a command that arrived on one of the device's topics: carries it out, answers why not, or leaves it
    /// to the bridge that holds the device. Until it is known which one does, it waits.
    func take(_ request: CommandRequest) {
        if voice.isOurs || isReady && isStop(request) { return execute(request) }
        guard voice.isUnknown, held.count < Self.capacity else { return }
        held.append(request)
    }

    /// Carries out what waited until this bridge speaks for the device, or forgets it because another one does.
    func takeHeld() {
        guard !voice.isUnknown, !held.isEmpty else { return }
        let requests = held
        held = []
        guard voice.isOurs else { return }
        let firstValid = requests.lastIndex(where: isStop) ?? 0
        for (index, request) in requests.enumerated() {
            guard index < firstValid else {
                execute(request)
                continue
            }
            let id = newCommandID()
            pending[id] = PendingCommand(request: request, id: CommandGate.id(of: request), isQuiet: false)
            answer(id, .failed(.deviceError, "dropped: a stop came after it"))
        }
    }

    private func isStop(_ request: CommandRequest) -> Bool {
        family.feature(request.feature)?.command?.traits.contains(.stop) ?? false
    }

    private func execute(_ request: CommandRequest) {
        let id = newCommandID()
        guard let command = family.feature(request.feature)?.command else {
            let known = family.features.filter { $0.command != nil }.map(\.name).joined(separator: " ")
            pending[id] = PendingCommand(request: request, id: CommandGate.id(of: request), isQuiet: false)
            return answer(id, .failed(.unknownFeature, "\(request.feature): allowed: \(known)"))
        }
        pending[id] = PendingCommand(request: request, isQuiet: command.traits.contains(.latest))
        do throws(CommandError) {
            let isStop = command.traits.contains(.stop)
            let invocation = try CommandGate.admit(request, command, now: now, date: world.time.date)
            pending[id]?.id = invocation.id
            guard pending.count <= Self.capacity || isStop else {
                throw CommandError(.busy, "\(Self.capacity) commands wait already")
            }
            guard isReady || (command.traits.contains(.kept) && !isClosing) else {
                throw CommandError(.deviceOffline, offlineMessage)
            }
            startTimer(.command(id), at: now + Self.patience)
            feed(.command(id, feature: request.feature, invocation.arguments))
        } catch {
            pending[id]?.id = CommandGate.id(of: request)
            answer(id, .failed(error))
        }
    }

    private var offlineMessage: String {
        let reason = supervision.reason.map { " (\($0))" } ?? ""
        return "\(name) is \(supervision.state.rawValue)\(reason)"
    }

    // MARK: Answers

    /// Answers a command, once.
    func answer(_ id: CommandID, _ answer: Answer) {
        guard let command = pending.removeValue(forKey: id) else {
            return logger.debug("a second answer to one command is dropped")
        }
        timers.cancel(.command(id))
        let message = AnswerMessage(
            subject: ("feature", command.request.feature), answer: answer, id: command.id,
            elapsed: now - command.request.arrival, date: world.time.date)
        if let topic = command.request.responseTopic {
            world.broker.publish(
                OutgoingMessage(
                    topic: topic, payload: JSON.Value.object(message.object).bytes,
                    policy: .reply(correlation: command.request.correlation)))
            return
        }
        if case .ok = answer, command.isQuiet, command.id == nil { return }
        var object = message.object
        object["seq"] = .integer(outlet.nextSequence("result"))
        world.broker.publish(
            OutgoingMessage(
                topic: world.topics.result(name), payload: JSON.Value.object(object).bytes, policy: .event))
    }

    /// Answers all that wait, because the device cannot any more.
    func failPending(_ code: CommandError.Code, _ message: String) {
        for id in pending.keys.sorted(by: { $0.number < $1.number }) {
            answer(id, .failed(code, message))
        }
    }
}
