import Bluetooth
import DeviceKit
import JSON

// Commands to a name that a device had: a stop is obeyed even if another device has the name now; the rest is answered.
extension Bridge {
    /// How long a command may be under way.
    private static let underWay = Duration.seconds(60)
    /// How many former names of a device are obeyed.
    private static let formerNameCapacity = 32

    /// Remembers a name that a device loses.
    func rememberName(of session: DeviceSession) {
        let (name, isOurs) = (session.name, session.ownership.isOurs)
        let now = world.time.now
        formerNames = formerNames.filter { $0.value > now }
        // What the broker passed on before it took note of the end of the subscription is answered too.
        if isOurs { formerNames[name] = now + Self.underWay }
    }

    /// Answers a command to a device that is not here any more.
    func refuse(_ request: CommandRequest, formerName name: String) {
        guard let end = formerNames[name], world.time.now < end else { return }
        answer(
            request, to: name, .failed(.unknownDevice, "\(name): no device has this name any more"))
    }

    func answer(_ request: CommandRequest, to name: String, _ answer: Answer) {
        let message = AnswerMessage(
            subject: ("feature", request.feature), answer: answer,
            id: CommandGate.id(of: request), elapsed: world.time.now - request.arrival, date: world.time.date)
        world.broker.publish(
            request.message(message.object, usually: topics.result(name), sequence: nil))
    }

    // MARK: Stops

    /// Keeps a name that a device is about to lose and lives on without: an automation, or a person in a hurry, may
    /// still send a stop to it.
    func keepFormerName(_ name: String, of session: DeviceSession) {
        guard !session.features.stops.isEmpty else { return }
        remember(session) { device in
            device.formerNames.removeAll { $0 == name }
            device.formerNames = device.formerNames.suffix(Self.formerNameCapacity - 1) + [name]
        }
        formerBearers[name, default: []].insert(session.address)
        world.broker.subscribe(formerStopFilters(of: session.address))
    }

    /// Obeys stops under the names that a device had.
    func takeUpFormerNames(of session: DeviceSession) {
        let address = session.address
        guard let known = state[address]?.formerNames, !known.isEmpty else { return }
        let name = session.name
        for former in known where former != name { formerBearers[former, default: []].insert(address) }
        world.broker.subscribe(formerStopFilters(of: address))
    }

    /// Obeys them no more, since the device is let go.
    func leaveFormerNames(of session: DeviceSession) {
        let address = session.address
        let filters = formerStopFilters(of: address).map(\.filter)
        guard !filters.isEmpty else { return }
        for name in formerBearers.keys {
            formerBearers[name]?.remove(address)
            if formerBearers[name]?.isEmpty ?? false { formerBearers[name] = nil }
        }
        let wanted = formerStopTopics
        let own = Set(sessions.values.flatMap { session in self.filters(session).map(\.filter) })
        world.broker.unsubscribe(filters.filter { !wanted.contains($0) && !own.contains($0) })
    }

    private func formerStopFilters(of address: Address) -> [TopicFilter] {
        guard let session = sessions[address] else { return [] }
        let names = formerBearers.filter { $0.value.contains(address) }.keys.sorted()
        return names.flatMap { name in session.features.stops.map { TopicFilter(topics.command(name, $0)) } }
    }

    /// The topics of stops under former names.
    var formerStopTopics: Set<String> {
        var found: Set<String> = []
        for (name, bearers) in formerBearers {
            for stop in bearers.compactMap({ sessions[$0] }).flatMap(\.features.stops) {
                found.insert(topics.command(name, stop))
            }
        }
        return found
    }

    /// Stops the devices that had a name.
    ///
    /// - Parameter isTaken: Whether a device of this bridge has the name now, and answers.
    /// - Returns: Whether some device obeys it.
    func obeyFormerStop(_ request: CommandRequest, name: String, isTaken: Bool) -> Bool {
        guard let addresses = formerBearers[name] else { return false }
        let bearers = addresses.compactMap { sessions[$0] }
            .filter { $0.features.stops.contains(request.feature) && $0.name != name }
            .sorted { $0.address < $1.address }
        for (index, session) in bearers.enumerated() {
            let answers = !isTaken && index == 0
            let collector: CommandRequest.Collector =
                answers ? .formerName(name, request: request) : .nobody
            session.take(request.handedOn(answeredTo: collector))
        }
        return !bearers.isEmpty
    }
}

extension Answer {
    /// The same with one member more, where it is good.
    func adding(_ key: String, _ value: JSON.Value) -> Answer {
        guard case .ok(let members) = self else { return self }
        return .ok(members.adding(key, value))
    }
}
