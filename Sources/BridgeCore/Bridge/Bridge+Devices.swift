import Bluetooth
import DeviceKit
import JSON
import Logging

extension Bridge {
    /// A time in which new devices may join.
    struct Permit: Sendable {
        /// Which one it is; an ended one's timer ends nothing.
        var number: Int
        /// The families that may join; nil for all.
        var families: Set<String>?
        /// The one device that may join; nil for all, but not for input devices.
        var address: Address?
    }

    /// How many devices are announced that may not join; an address that changes all the time is no new device.
    private static let discoveryCapacity = 1000

    // MARK: Sessions

    /// Begins to look after a device that has a name.
    func addSession(_ family: any DeviceFamily, _ address: Address, settings: Arguments) {
        let memory = state.devices.first { $0.address == address }?.memory ?? [:]
        let session = DeviceSession(
            name: names[address] ?? family.name, address: address, family: family, settings: settings,
            memory: memory,
            world: DeviceSession.World(
                radio: world.radio, broker: world.broker, time: world.time, executor: world.executor,
                topics: topics, logger: logger
            ) { [weak self] change in
                self?.assumeIsolated { $0.handle(change, of: address) }
            })
        sessions[address] = session
        spawn { await session.run() }
        world.broker.subscribe(filters(session))
        let radio = radioState
        let hasBroker = brokerVersion != nil
        session.assumeIsolated { session in
            session.start(radioIsReady: radio.isReady, reason: radio.reason)
            session.reportAll()
            if hasBroker { session.brokerConnected() }
        }
        updateDiscovery()
    }

    /// What is subscribed for a device. A command that must not pile up is taken at QoS 0, which a wildcard over
    /// it would undo.
    private func filters(_ session: DeviceSession) -> [TopicFilter] {
        let name = session.assumeIsolated { $0.name }
        let claims = TopicFilter(topics.report(name, "connection"))
        let commands = session.family.features.compactMap { feature in
            feature.command.map { (feature.name, $0.traits.contains(.fleeting)) }
        }
        guard commands.contains(where: \.1) else { return [TopicFilter(topics.commands(name)), claims] }
        return commands.map { TopicFilter(topics.command(name, $0.0), qos: $0.1 ? 0 : 1) } + [claims]
    }

    private func handle(_ change: DeviceSession.Change, of address: Address) {
        guard let session = sessions[address] else { return }
        switch change {
        case .connection:
            reportDevices()
            updateDiscovery()
        case .remember(let key, let value): remember(session) { $0.memory[key] = value }
        case .failed(let reason):
            reportEvent("device_failed", describe(session).adding("reason", .string(reason)))
        case .nameTaken: giveUpName(session)
        case .published(let topic): keep(topic: topic)
        case .released(let topics): forget(topics: topics)
        }
    }

    /// Another device holds the name at the broker: this one becomes `<family>/<id>`.
    private func giveUpName(_ session: DeviceSession) {
        let (old, address) = (session.assumeIsolated { $0.name }, session.address)
        let filters = filters(session).map(\.filter)
        names.release(address)
        names.reserve(old)
        let name = names.assign(session.family, address)
        logger.warning(
            "the name is held by another device", metadata: ["device": "\(old)", "now": "\(name)"])
        world.broker.unsubscribe(filters)
        let hasBroker = brokerVersion != nil
        session.assumeIsolated { session in
            session.rename(name)
            if hasBroker { session.brokerConnected() }
        }
        world.broker.subscribe(self.filters(session))
        remember(session) { $0.name = name }
        reportDevices()
    }

    /// Lets go of a device: closes its link in good order, clears its topics and forgets its name.
    func remove(_ session: DeviceSession) async {
        await session.close(nil)
        await session.ended()
        forget(session)
    }

    private func forget(_ session: DeviceSession) {
        let address = session.address
        guard sessions[address] === session, !isStopping else { return }
        let description = describe(session)
        session.assumeIsolated { $0.clearTopics() }
        world.broker.unsubscribe(filters(session).map(\.filter))
        sessions[address] = nil
        names.release(address)
        discovered.remove(address)
        state.devices.removeAll { $0.address == address }
        save()
        reportEvent("device_left", description)
        reportDevices()
        updateDiscovery()
    }

    // MARK: Joining

    /// A device was heard that nobody looks after yet.
    func consider(_ advertisement: Advertisement) {
        let address = advertisement.address
        guard let family = families.first(where: { $0.recognises(advertisement) }) else { return }
        if mayJoin(family, advertisement) {
            join(family, advertisement)
        } else if discovered.count < Self.discoveryCapacity, discovered.insert(address).inserted {
            logger.info(
                "discovered", metadata: ["family": "\(family.name)", "address": "\(address)"])
            reportEvent(
                "device_discovered",
                [
                    "family": .string(family.name), "address": .string(address.description),
                    "name": advertisement.name.map { .string($0) } ?? .null,
                    "rssi": advertisement.rssi.map { .integer($0) } ?? .null,
                ])
        }
    }

    private func join(_ family: any DeviceFamily, _ advertisement: Advertisement) {
        let address = advertisement.address
        let name = names.assign(family, address)
        logger.info("joined", metadata: ["device": "\(name)", "address": "\(address)"])
        addSession(family, address, settings: settings.families[family.name] ?? Arguments())
        guard let session = sessions[address] else { return }
        remember(session) { device in
            device.name = name
            device.isJoined = true
        }
        reportDevices()
        reportEvent("device_joined", describe(session))
        session.assumeIsolated { session in
            if settings.join == .permit { session.join() }
            session.heard(advertisement)
        }
    }

    /// Whether a device may join. One that is a keyboard too needs a word for its address, since joining bonds it
    /// to the host; where that is done already there is nothing to ask.
    private func mayJoin(_ family: any DeviceFamily, _ advertisement: Advertisement) -> Bool {
        let isPermitted = permit.map { permit in
            (permit.families?.contains(family.name) ?? true)
                && (permit.address.map { $0 == advertisement.address } ?? !family.requirements.isInputDevice)
        }
        switch settings.join {
        case .configured: return false
        case .permit: return isPermitted ?? false
        case .always:
            return !family.requirements.isInputDevice || advertisement.isPaired || isPermitted ?? false
        }
    }
}
