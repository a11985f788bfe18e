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
                expiryClock: expiryClock,
                guardian: world.guardian, executor: world.executor, topics: topics, logger: logger
            ) { [weak self] change in
                self?.assumeIsolated { $0.handle(change, of: address) }
            })
        sessions[address] = session
        spawn { await session.run() }
        world.broker.subscribe(filters(session))
        let radio = radioState
        let hasBroker = brokerVersion != nil
        let (former, missing) = (formerGates.removeValue(forKey: address), stopFilters(session))
        session.assumeIsolated { session in
            if let former { session.gate?.adopt(former) }
            if hasBroker { session.brokerChanged(isConnected: true) }
            session.stopsMissing(missing, isRecallMissing: true)
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

    /// What is subscribed for a device.
    ///
    /// MQTT keeps order only among messages of one quality of service. So where a command must not pile up, all come
    /// at QoS 0, as the echoes do, by which their age is known; stops come at QoS 1 too, so that none is lost.
    func filters(_ session: DeviceSession) -> [TopicFilter] {
        let (name, isHazardous) = session.assumeIsolated { ($0.name, $0.gate != nil) }
        let claims = TopicFilter(topics.report(name, "connection"), isState: true)
        let isFleeting = session.family.features.contains { $0.command?.traits.contains(.fleeting) ?? false }
        guard isHazardous || isFleeting else { return [TopicFilter(topics.commands(name)), claims] }
        return [TopicFilter(topics.commands(name), qos: 0), claims]
            + session.family.stops.map { TopicFilter(topics.command(name, $0)) }
    }

    private func handle(_ change: DeviceSession.Change, of address: Address) {
        guard let session = sessions[address] else { return }
        switch change {
        case .connection:
            reportDevices()
            updateDiscovery()
            updateLatenessWatch()
            if session.assumeIsolated({ $0.gate != nil && $0.link != nil }) { updateEchoes() }
        case .remember(let key, let value): remember(session) { $0.memory[key] = value }
        case .latch(let latch): latches.change(latch, of: address)
        case .failed(let reason):
            reportEvent("device_failed", describe(session).adding("reason", .string(reason)))
        case .wantsEcho: updateEchoes()
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
        unsubscribe(session)
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
        unsubscribe(session)
        rememberName(of: session)
    }

    /// Asks for no more messages of a device under its name.
    func unsubscribe(_ session: DeviceSession) {
        let filters = filters(session).map(\.filter)
        granted.subtract(filters)
        world.broker.unsubscribe(filters)
    }

    /// Lets a device speak and listen under another name.
    func enter(_ session: DeviceSession, _ name: String) {
        let hasBroker = brokerVersion != nil
        session.assumeIsolated { session in
            session.rename(name)
            if hasBroker { session.brokerConnected() }
        }
        tellMissingStops(session)
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
