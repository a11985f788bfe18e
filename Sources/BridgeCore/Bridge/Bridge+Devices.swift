import Bluetooth
import DeviceKit
import JSON
import Logging

extension Bridge {
    /// Begins to look after a device that has a name.
    func addSession(
        _ family: any DeviceFamily, _ address: Address, settings: Arguments, isLetIn: Bool = false
    ) {
        let known = state.devices.first { $0.address == address }
        let session = DeviceSession(
            name: names[address] ?? family.name, address: address, family: family, settings: settings,
            memory: known?.memory ?? [:], latch: takeLatch(of: address, family, isLetIn: isLetIn),
            patterns: patterns,
            world: DeviceSession.World(
                radio: world.radio, broker: world.broker, latches: world.latches, time: world.time,
                guardian: world.guardian, executor: world.executor, topics: topics, logger: logger
            ) { [weak self] change in
                self?.assumeIsolated { $0.handle(change, of: address) }
            })
        sessions[address] = session
        spawn { await session.run() }
        world.broker.subscribe(filters(session))
        let radio = radioState
        let hasBroker = brokerVersion != nil
        session.assumeIsolated { session in
            if known?.isHeld ?? false { session.supervision.hold() }
            session.beginRecall()
            session.start(radioIsReady: radio.isReady, reason: radio.reason)
            session.reportAll()
            if hasBroker { session.brokerConnected() }
        }
        spawn { [radio = world.radio] in await radio.mention(address) }
        expediteStops()
        updateDiscovery()
        warnOfOpenBroker(session)
    }

    /// A robot that anybody in the network can drive is worth a word each time that it is taken up.
    private func warnOfOpenBroker(_ session: DeviceSession) {
        let canHurt = session.family.features.contains { $0.command?.traits.contains(.hazardous) ?? false }
        guard settings.isBrokerOpen, canHurt else { return }
        logger.warning(
            "whoever reaches the broker can set this device in motion: use TLS (mqtt.tls) and a user name",
            metadata: ["device": "\(session.assumeIsolated { $0.name })"])
    }

    /// What is subscribed for a device. A command that must not pile up is taken at QoS 0, which a wildcard over
    /// it would undo.
    func filters(_ session: DeviceSession) -> [TopicFilter] {
        let name = session.assumeIsolated { $0.name }
        let claims = TopicFilter(topics.report(name, "connection"))
        var commands = session.family.features.compactMap { feature in
            feature.command.map { (feature.name, $0.traits.contains(.fleeting)) }
        }
        guard commands.contains(where: \.1) else { return [TopicFilter(topics.commands(name)), claims] }
        // A device without patterns answers that it has none.
        if session.family.feature(Feature.hapticName) == nil { commands.append((Feature.hapticName, false)) }
        return commands.map { TopicFilter(topics.command(name, $0.0), qos: $0.1 ? 0 : 1) } + [claims]
    }

    private func handle(_ change: DeviceSession.Change, of address: Address) {
        guard let session = sessions[address] else { return }
        switch change {
        case .connection:
            reportDevices()
            updateDiscovery()
            updateLatenessWatch()
        case .remember(let key, let value): remember(session) { $0.memory[key] = value }
        case .latch(let latch): latches.change(latch, of: address)
        case .failed(let reason):
            reportEvent("device_failed", describe(session).adding("reason", .string(reason)))
        case .nameTaken: giveUpName(session)
        case .published(let topic): keep(topic: topic)
        case .released(let topics): forget(topics: topics)
        case .cleared(let topics): forgetCleared(topics)
        case .described: announce(session)
        case .silent: releaseAnnouncement(address)
        }
    }

    /// Another device holds the name at the broker: this one becomes `<family>/<id>`.
    private func giveUpName(_ session: DeviceSession) {
        let (old, address) = (session.assumeIsolated { $0.name }, session.address)
        names.release(address)
        names.reserve(old)
        let name = names.assign(session.family, address)
        logger.warning(
            "the name is held by another device", metadata: ["device": "\(old)", "now": "\(name)"])
        world.broker.unsubscribe(filters(session).map(\.filter))
        enter(session, name)
        expediteStops()
        reportDevices()
    }

    /// Gives a device another name, which it is free to have; what is retained under the old one is cleared.
    func rename(_ session: DeviceSession, to name: String) {
        leaveName(session, for: name)
        enter(session, name)
        expediteStops()
        reportDevices()
    }

    /// Clears what is retained under a device's name, which it has no more.
    func leaveName(_ session: DeviceSession, for name: String) {
        logger.info(
            "renamed", metadata: ["device": "\(session.assumeIsolated { $0.name })", "now": "\(name)"])
        session.assumeIsolated { $0.clearTopics() }
        world.broker.unsubscribe(filters(session).map(\.filter))
        rememberName(of: session)
    }

    /// Lets a device speak and listen under another name.
    func enter(_ session: DeviceSession, _ name: String) {
        let hasBroker = brokerVersion != nil
        session.assumeIsolated { session in
            session.rename(name)
            if hasBroker { session.brokerConnected() }
        }
        world.broker.subscribe(filters(session))
        remember(session) { $0.name = name }
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
        detach(session, clearsTopics: true)
        expediteStops()
        state.devices.removeAll { $0.address == address }
        save()
        reportEvent("device_left", description)
        reportDevices()
        updateDiscovery()
    }
}
