import Bluetooth
import BridgeContract
import BridgeParts
import Claims
import DeviceKit
import JSON
import Logging
import Messages

// Commands to groups. Each member takes the command as if it were sent to the member, and one result covers all
// members.
extension Bridge {
    /// Passes a command to every member that has the feature. No member waits for another member.
    func carryOut(_ request: CommandRequest, group name: String) {
        guard !fleet.groups.stopsOnly.contains(name) || isStop(request) else { return }
        let members = members(of: name, for: request)
        let isAllStop = request.feature == GroupFeatures.stop.name && fleet.stopsEverything(name)
        let takers =
            isAllStop
            ? members
            : members.filter { member in
                member.session.map { $0.takes(request.feature) } ?? true
            }
        guard isAllStop || takers.contains(where: { $0.session != nil }) else {
            return refuse(request, group: name, members)
        }
        var command = GroupCommand(group: name, request: request, devices: takers.map(\.name))
        command.isStop = isAllStop
        command.isAlwaysAnswered = fleet.groups.isBuiltIn(name)
        command.isQuiet = takers.allSatisfy { member in
            let traits = member.session?.features.command(request.feature)?.command.traits
            return traits?.contains(.latest) ?? true
        }
        let number = groupCommands.begin(command)
        var request = request
        if request.feature == Feature.hapticName { request.start = start(of: takers) }
        for (index, member) in takers.enumerated() {
            guard let session = member.session else {
                collect(.failed(.unknownDevice, complaint(aboutMember: member.name)), index, number)
                continue
            }
            let part = request.handedOn(answeredTo: .group(command: number, member: index))
            if isAllStop { session.halt(part) } else { session.take(part) }
        }
        finish(number)
    }

    /// Returns the devices that receive a command to a group: its members, and for a stop also each device that
    /// formerly had the name of a member.
    private func members(of group: String, for request: CommandRequest) -> [Fleet.Member] {
        let members = fleet.members(of: group, formerNames)
        var found = Set(members.compactMap { $0.session?.address })
        let others = fleet.formerMembers(of: group, formerNames).filter { session in
            session.features.stops.contains(request.feature) && found.insert(session.address).inserted
        }
        return members + others.map { ($0.name, $0) }
    }

    private func complaint(aboutMember name: String) -> String {
        let formerDevices = fleet.formerDevices(of: name, formerNames).map(\.name).sorted()
        guard formerDevices.count > 1 else { return "\(name): no device has this name" }
        return "\(name): several devices had this name, and none has it now; "
            + "allowed in the group: the name of one of them: \(formerDevices.joined(separator: " "))"
    }

    /// Applies the groups of the configuration and the roster, and computes their subscriptions.
    func takeGroups() {
        let before = fleet.groups.stopsOnly
        fleet.use(ruled(groupsInForce), zone: settings.zone)
        for name in fleet.groups.stopsOnly.subtracting(before).sorted() {
            logger.warning(
                "the group accepts only stops, because its name is reserved", metadata: ["group": "\(name)"])
        }
        let stops = Set(families.flatMap { fleet.features(of: $0).stops })
        groupCommands.filters = Set(
            fleet.groups.names.flatMap { name in
                fleet.groups.stopsOnly.contains(name)
                    ? stops.map { TopicFilter(topics.command(name, $0)) }
                    : [TopicFilter(topics.commands(name)), TopicFilter(topics.bareCommand(name))]
            })
    }

    /// The time at which all members can start together. This time allows for the latency of the slowest device, plus 2
    /// ms per member, which the bridge needs to forward the command.
    private func start(of members: [Fleet.Member]) -> Duration {
        let latencies = members.compactMap { $0.session?.startLatency }
        return ports.time.now + (latencies.max() ?? .zero) + .milliseconds(2) * latencies.count
    }

    /// Answers a command that no member can take.
    private func refuse(_ request: CommandRequest, group: String, _ members: [Fleet.Member]) {
        let sessions = members.compactMap(\.session)
        // A bridge without any member of the group does not answer if there are other bridges. Every bridge answers for
        // the group of all devices, and for the zone of its host.
        guard !sessions.isEmpty || fleet.groups[group] == .all || !broker.peers.hasOthers else { return }
        let features = Set(sessions.flatMap { session in session.features.commands.filter(session.takes) })
            .sorted()
        let error =
            features.isEmpty
            ? CommandError(.unknownDevice, "\(group): the bridge manages none of its devices")
            : .unknownFeature(
                request, of: group, among: features,
                isReport: sessions.contains { $0.features[request.feature] != nil })
        logEnd(of: request, to: group, .failed(error))
        publish(
            AnswerMessage(
                subject: ("feature", request.feature), answer: .failed(error),
                details: ["bridge": .string(settings.id), "members": []], id: CommandGate.id(of: request),
                elapsed: ports.time.now - request.arrival, date: ports.time.date), of: request, group)
    }

    /// Takes the answer of a device to a command that the bridge forwarded, for example from a group.
    func collect(_ answer: Answer?, for collector: CommandRequest.Collector, from address: Address) {
        switch collector {
        case .group(let number, let index): collect(answer, index, number)
        case .formerName(let name, let request):
            guard let answer, let session = fleet[address] else { return }
            self.answer(request, to: name, answer.adding("device", .string(session.name)))
        case .nobody: break
        }
    }

    private func collect(_ answer: Answer?, _ index: Int, _ number: Int) {
        groupCommands.take(answer, of: index, in: number, at: ports.time.now)
        finish(number)
    }

    /// Publishes the result of a command once every member has answered.
    private func finish(_ number: Int) {
        guard let command = groupCommands.finish(number) else { return }
        let message = command.message(bridge: settings.id, at: ports.time.now, ports.time.date)
        if let message { publish(message, of: command.request, command.group) }
    }

    private func publish(_ message: AnswerMessage, of request: CommandRequest, _ group: String) {
        let number = groupCommands.number(of: request, to: group)
        ports.broker.publish(
            request.message(message.object, usually: topics.result(group), sequence: number))
    }
}
