import Bluetooth
import DeviceKit
import JSON
import Logging

extension Bridge {
    /// The requests that the bridge takes, declared as a device declares its commands.
    static func requests(_ families: [any DeviceFamily]) -> [Feature] {
        [
            Feature(
                "permit_join", "Accepts and pairs new devices for a while; 0 seconds end it.",
                command: Command(
                    [
                        Field(
                            "seconds", .integer(0...3600), unit: "s", default: 60,
                            "For how long; 0 ends a permission that runs."),
                        Field(
                            "families",
                            .list(.choice(families.map(\.name)), count: 1...max(families.count, 1)),
                            "The families that may join; all if left out."),
                        Field(
                            "address", .text(17...17),
                            "The one device that may join; needed for one that is a keyboard too."),
                    ],
                    shorthands: [.field("seconds")], empty: [:],
                    example: ["seconds": 60])),
            Feature(
                "forget", "Lets a device go that joined: its link, its topics, its name and its bond.",
                command: Command(
                    [Field("device", .text(1...256), required: true, "The device's name.")],
                    shorthands: [.field("device")], example: ["device": "belt"])),
            Feature(
                "devices", "Answers with the list of devices.",
                command: Command([], empty: [:], example: [:])),
        ]
    }

    /// Carries out a request and answers it.
    func carryOut(_ request: CommandRequest) {
        let known = Self.requests(families)
        var id: JSON.Value?
        do throws(CommandError) {
            guard let command = known.first(where: { $0.name == request.feature })?.command else {
                throw CommandError(
                    .unknownFeature,
                    "\(request.feature): allowed: \(known.map(\.name).joined(separator: " "))")
            }
            let invocation = try CommandGate.admit(
                request, command, now: world.time.now, date: world.time.date)
            id = invocation.id
            switch request.feature {
            case "permit_join": answer(request, id, .ok(try permitJoin(invocation.arguments)))
            case "forget": try forget(invocation.arguments.text("device") ?? "", request, id)
            default: answer(request, id, .ok(["devices": deviceList]))
            }
        } catch {
            logger.warning(
                "request refused", metadata: ["request": "\(request.feature)", "reason": "\(error)"])
            answer(request, id ?? CommandGate.id(of: request), .failed(error))
        }
    }

    private func answer(_ request: CommandRequest, _ id: JSON.Value?, _ answer: Answer) {
        let message = AnswerMessage(
            subject: ("request", request.feature), answer: answer, id: id,
            elapsed: world.time.now - request.arrival, date: world.time.date)
        world.broker.publish(
            OutgoingMessage(
                topic: request.responseTopic ?? topics.response(request.feature),
                payload: JSON.Value.object(message.object).bytes,
                policy: request.responseTopic == nil ? .event : .reply(correlation: request.correlation)))
    }

    private func forget(
        _ name: String, _ request: CommandRequest, _ id: JSON.Value?
    ) throws(CommandError) {
        guard let session = session(named: name) else {
            let known = names.all.joined(separator: " ")
            throw CommandError(.unknownDevice, "\(name): the bridge looks after: \(known)")
        }
        guard !settings.devices.contains(where: { $0.address == session.address }) else {
            throw CommandError(.notSupported, "\(name) stands in the configuration: remove it there")
        }
        spawn { [weak self] in await self?.forget(session, request, id) }
    }

    private func forget(_ session: DeviceSession, _ request: CommandRequest, _ id: JSON.Value?) async {
        await remove(session)
        do throws(RadioError) {
            try await world.radio.forget(session.address)
            answer(request, id, .ok)
        } catch {
            // What the host does not know needs no forgetting.
            answer(request, id, error.code == .unknownDevice ? .ok : .failed(.deviceError, error.description))
        }
    }

    // MARK: Permitting to join

    private func permitJoin(_ arguments: Arguments) throws(CommandError) -> JSON.Object {
        guard settings.join != .configured else {
            throw CommandError(
                .notSupported,
                "bluetooth.join is configured: only devices of the configuration are connected")
        }
        var address: Address?
        if let text = arguments.text("address") {
            guard let parsed = Address(text) else {
                throw CommandError(.invalidValue, "address: such as AA:BB:CC:DD:EE:FF, got \(text)")
            }
            address = parsed
        }
        let seconds = arguments.integer("seconds") ?? 60
        guard seconds > 0 else {
            endPermit()
            return ["seconds": 0]
        }
        permitCount += 1
        let number = permitCount
        let families = arguments["families"]?.array?.compactMap(\.string)
        permit = Permit(number: number, families: families.map(Set.init), address: address)
        discovered = []
        logger.info("new devices may join", metadata: ["seconds": "\(seconds)"])
        let end = world.time.now + .seconds(seconds)
        spawn { [weak self, time = world.time] in
            do { try await time.sleep(until: end) } catch { return }
            await self?.endPermit(number)
        }
        updateDiscovery()
        reportInfo()
        return ["seconds": .integer(seconds)]
    }

    private func endPermit(_ number: Int? = nil) {
        guard let permit, number == nil || permit.number == number else { return }
        self.permit = nil
        logger.info("no new devices may join any more")
        updateDiscovery()
        reportInfo()
    }
}
