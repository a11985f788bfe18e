import DeviceKit
import JSON

// Commands to a name that a device had: what the broker passed on before it took note of the end of the
// subscription is answered too.
extension Bridge {
    /// How long a command may be under way.
    private static let underWay = Duration.seconds(60)

    /// Remembers a name that a device loses, if it was this bridge's to answer for it.
    func rememberName(of session: DeviceSession) {
        let (name, isOurs) = session.assumeIsolated { ($0.name, $0.voice.isOurs) }
        let now = world.time.now
        formerNames = formerNames.filter { $0.value > now }
        if isOurs { formerNames[name] = now + Self.underWay }
    }

    /// Answers a command to a device that is not here any more.
    func refuse(_ request: CommandRequest, formerName name: String) {
        guard let end = formerNames[name], world.time.now < end else { return }
        let message = AnswerMessage(
            subject: ("feature", request.feature),
            answer: .failed(.unknownDevice, "\(name): no device has this name any more"),
            id: CommandGate.id(of: request), elapsed: world.time.now - request.arrival, date: world.time.date)
        world.broker.publish(
            request.message(message.object, usually: topics.result(name), sequence: nil))
    }
}
