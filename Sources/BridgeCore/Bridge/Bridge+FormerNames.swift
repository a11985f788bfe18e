import Bluetooth
import BridgeContract
import BridgeParts
import Claims
import DeviceKit
import JSON
import Messages

// Commands to a former name of a device. A stop is obeyed even if another device has the name now; other commands are
// answered with an error.
extension Bridge {
    /// Records that a device of this bridge loses its current name, to which commands may still be in transit.
    func rememberName(of session: DeviceSession) {
        let now = ports.time.now
        formerNames.expire(at: now)
        if session.ownership.isOurs { formerNames.lose(session.name, at: now) }
    }

    /// Answers a command to a former name that no device has now. If a stop arrives twice, it is answered once.
    func refuse(_ request: CommandRequest, formerName name: String) {
        guard formerNames.mayBeUnderWay(to: name, at: ports.time.now),
            !isStop(request) || !formerCopies.isCopy(request)
        else { return }
        answer(
            request, to: name, .failed(.unknownDevice, "\(name): no device has this name now"))
    }

    func isStop(_ request: CommandRequest) -> Bool {
        families.contains { fleet.features(of: $0).stops.contains(request.feature) }
    }

    func answer(_ request: CommandRequest, to name: String, _ answer: Answer) {
        logEnd(of: request, to: name, answer)
        let message = AnswerMessage(
            subject: ("feature", request.feature), answer: answer,
            id: CommandGate.id(of: request), elapsed: ports.time.now - request.arrival, date: ports.time.date)
        ports.broker.publish(
            request.message(message.object, usually: topics.result(name), sequence: nil))
    }

    // MARK: Stops

    /// Records a name that a device is about to lose. An automation, or you in a hurry, may still send a stop to this
    /// name, and a group of the configuration may still contain it.
    func keepFormerName(_ name: String, of session: DeviceSession) {
        remember(session) { $0.keepFormerName(name) }
        formerNames.add([name], of: session.address)
        ports.broker.subscribe(formerStopFilters(of: session.address))
    }

    /// Subscribes to the stops under the former names that the state file contains for a device.
    func takeUpFormerNames(of session: DeviceSession) {
        let address = session.address
        guard let known = kept[address]?.formerNames, !known.isEmpty else { return }
        formerNames.add(known.filter { $0 != session.name }, of: address)
        ports.broker.subscribe(formerStopFilters(of: address))
    }

    /// Removes the former name of a device that gets this name again. The regular subscriptions of the device now
    /// include the stops to this name.
    func takeBackName(of session: DeviceSession) {
        guard formerNames.names(of: session.address).contains(session.name) else { return }
        formerNames.remove(session.name, of: session.address)
        let wanted = formerStopTopics(of: session.name).union(filters(session).map(\.filter))
        let stops = session.features.stops.map { topics.command(session.name, $0) }
        endSubscriptions(stops.filter { !wanted.contains($0) })
    }

    /// Unsubscribes from the stops under the former names of a device that is removed.
    func leaveFormerNames(of session: DeviceSession) {
        let address = session.address
        let filters = formerStopFilters(of: address).map(\.filter)
        let names = formerNames.names(of: address)
        formerNames.remove(address)
        guard !filters.isEmpty else { return }
        // Topics that other devices need, because they have or had one of these names, stay subscribed.
        let wanted = names.reduce(into: Set<String>()) { wanted, name in
            wanted.formUnion(formerStopTopics(of: name))
            if let owner = fleet.session(named: name), owner !== session {
                wanted.formUnion(self.filters(owner).map(\.filter))
            }
        }
        endSubscriptions(filters.filter { !wanted.contains($0) })
    }

    private func formerStopFilters(of address: Address) -> [TopicFilter] {
        guard let session = fleet[address] else { return [] }
        return formerNames.names(of: address).flatMap { name in
            session.features.stops.map { TopicFilter(topics.command(name, $0)) }
        }
    }

    /// The topics of all stops that devices obey because they formerly had this name.
    func formerStopTopics(of name: String) -> Set<String> {
        Set(
            formerNames.addresses(of: name).flatMap { address in
                fleet[address]?.features.stops.map { topics.command(name, $0) } ?? []
            })
    }

    /// Passes a stop to the devices that formerly had a name. If there are several, a device that is online answers.
    ///
    /// - Parameter isTaken: Whether a device or a group of this bridge has the name now and answers.
    /// - Returns: Whether any device obeys the stop.
    func obeyFormerStop(_ request: CommandRequest, name: String, isTaken: Bool) -> Bool {
        guard formerNames.hasAddresses(of: name) else { return false }
        let formerDevices = fleet.formerDevices(of: name, formerNames)
            .filter { $0.features.stops.contains(request.feature) }
        let answering = formerDevices.firstIndex(where: \.isReady) ?? 0
        for (index, session) in formerDevices.enumerated() {
            let answers = !isTaken && index == answering
            let collector: CommandRequest.Collector =
                answers ? .formerName(name, request: request) : .nobody
            session.take(request.handedOn(answeredTo: collector))
        }
        return !formerDevices.isEmpty
    }
}

extension BridgeState.Device {
    /// The maximum number of former names that the bridge keeps for a device.
    private static let formerNameCapacity = 32

    /// Adds a name that the device loses to its former names, as the newest of them.
    mutating func keepFormerName(_ name: String) {
        formerNames.removeAll { $0 == name }
        formerNames = formerNames.suffix(Self.formerNameCapacity - 1) + [name]
    }
}

extension Answer {
    /// Returns a successful answer with one more JSON member; an error is returned unchanged.
    func adding(_ key: String, _ value: JSON.Value) -> Answer {
        guard case .ok(let members) = self else { return self }
        return .ok(members.adding(key, value))
    }
}
