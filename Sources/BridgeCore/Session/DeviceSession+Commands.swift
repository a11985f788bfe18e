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

    /// Carries out a command that arrived on one of the device's topics, or answers why not.
    func execute(_ request: CommandRequest) {
        guard voice.isOurs || isReady else { return }
        let id = newCommandID()
        guard let command = family.feature(request.feature)?.command else {
            let known = family.features.filter { $0.command != nil }.map(\.name).joined(separator: " ")
            pending[id] = PendingCommand(request: request, isQuiet: false)
            return answer(id, .failed(.unknownFeature, "\(request.feature): allowed: \(known)"))
        }
        pending[id] = PendingCommand(request: request, isQuiet: command.traits.contains(.latest))
        do throws(CommandError) {
            let invocation = try CommandGate.admit(request, command, now: now, date: world.time.date)
            pending[id]?.id = invocation.id
            let isStop = command.traits.contains(.stop)
            guard pending.count <= Self.capacity || isStop else {
                throw CommandError(.busy, "\(Self.capacity) commands wait already")
            }
            guard isReady || command.traits.contains(.kept) else {
                throw CommandError(.deviceOffline, offlineMessage)
            }
            startTimer(.command(id), at: now + Self.patience)
            feed(.command(id, feature: request.feature, invocation.arguments))
        } catch {
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

    // MARK: Other bridges

    /// The broker is there: after a moment in which other holders would have been heard, this bridge speaks.
    func brokerConnected() {
        guard !voice.isOurs else { return }
        startTimer(.voice, at: now + .milliseconds(500))
    }

    /// A bridge says something of its link to a device of this name.
    func heard(claim payload: [UInt8], isRetained: Bool) {
        guard let object = try? JSON.Value(parsing: payload), let bridge = object["bridge"]?.string,
            bridge != world.topics.bridge
        else { return }
        let claim = Voice.Claim(
            bridge: bridge, isSameDevice: object["address"]?.string == address.description,
            isConnected: object["state"]?.string == "connected", isRetained: isRetained)
        switch voice.heard(claim, isLinked: link != nil) {
        case .nothing: break
        case .speakAgain:
            logger.warning("another bridge speaks for this device too", metadata: ["bridge": "\(bridge)"])
            speak()
        case .giveUpName: world.changed(.nameTaken)
        }
    }
}
