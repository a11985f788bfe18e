import Bluetooth
import BridgeContract
import BridgeParts
import Claims
import CoreMetrics
import DeviceKit
import JSON
import Logging
import Messages

extension Bridge {
    /// Creates the session of a device that has a name.
    func addSession(
        _ family: any DeviceFamily, _ address: Address, settings: Arguments, isLetIn: Bool = false
    ) {
        let known = kept[address]
        let session = DeviceSession(
            name: fleet.names[address] ?? family.name, address: address, family: family,
            features: fleet.features(of: family),
            settings: settings, memory: known?.memory ?? [:],
            latch: takeLatch(of: address, family, isLetIn: isLetIn),
            patterns: self.settings.patterns, mixing: self.settings.mixing,
            isConfigured: self.settings[address] != nil,
            mayBeInput: known?.isInput ?? false,
            context: DeviceSession.Context(
                radio: ports.radio, broker: ports.broker, latches: ports.latches, time: ports.time,
                expiryClock: expiryClock,
                guardian: ports.guardian, topics: topics, logger: logger, enter: entrance(),
                logsTyping: { self.settings.logsTyping }, recorder: recorder,
                families: { self.families }, neighbors: neighbors, slots: slots,
                preferred: { self.roster.roster.entries[address]?.preferred ?? [] },
                moves: { self.settings.moves },
                mayClaim: { !self.holders.isRefused },
                sharesAdapter: { self.sharesAdapter($0, $1) },
                restoredState: { self.restoredState(of: address, family) },
                collected: { self.collect($0, for: $1, from: address) },
                changed: { self.handle($0, of: address) }))
        let states = session.unpublished.filter { kept.isRetained(topics.report(session.name, $0)) }
        session.status.published = states
        fleet.add(session)
        noteOwnName(session.status.advertisedName, of: address)
        let number = session.context.enter.number
        sessionTasks.continuation.yield { await $0.run(number) }
        ports.broker.subscribe(filters(session))
        let hasBroker = broker.status.isConnected
        let missing = stopFilters(session)
        if hasBroker { session.brokerChanged(isConnected: true) }
        reportFeatures(of: family)
        session.stopsMissing(missing, isRecallMissing: true)
        if known?.isUserDisconnected ?? false { session.connector.userDisconnect() }
        if isLetIn { session.connector.joinByRequest() }
        if draining.isOn { session.connector.drain() }
        session.beginRecall()
        forgetRecallGrant(session)
        session.radio(radio.state)
        session.reportAll()
        if hasBroker {
            session.brokerConnected()
            if let claim = holders[address] { session.heard(claim.message, arrival: claim.arrival) }
            settleName(of: session)
        }
        takeUpFormerNames(of: session)
        endTurn()
        warnOfOpenBroker(session)
    }

    /// Warns if the broker is open to every client and the device can be set in motion.
    private func warnOfOpenBroker(_ session: DeviceSession) {
        guard settings.isBrokerOpen, session.features.canHurt else { return }
        logger.warning(
            "every client of the broker can set this device in motion: use TLS (mqtt.tls) and a user name",
            metadata: ["device": "\(session.name)"])
    }

    /// The subscriptions for the commands of a device; empty if this bridge does not receive them.
    func filters(_ session: DeviceSession) -> [TopicFilter] {
        session.isListening ? commandFilters(session) : []
    }

    /// Returns the subscriptions for the commands of a device, whether this bridge receives the commands now or not.
    ///
    /// MQTT keeps the order only among messages of one QoS. If old commands must not be executed, all commands use QoS
    /// 0, like the echoes, so that the latency of an echo shows the age of a command. Stops use QoS 1 in addition, so
    /// that none is lost.
    private func commandFilters(_ session: DeviceSession) -> [TopicFilter] {
        let (name, isHazardous) = (session.name, session.gate != nil)
        guard isHazardous || session.features.isFleeting else {
            return [TopicFilter(topics.commands(name))] + bareCommandFilters(name, qos: 1)
        }
        return [TopicFilter(topics.commands(name), qos: 0)] + bareCommandFilters(name, qos: 0)
            + session.features.stops.map { TopicFilter(topics.command(name, $0)) }
    }

    /// Starts or stops receiving the commands of a device, after the session's `isListening` changed.
    private func changeListening(to session: DeviceSession) {
        let filters = commandFilters(session)
        if !session.isListening { unsubscribe(filters.map(\.filter), from: session.name) }
        tellMissingStops(session)
        if session.isListening { ports.broker.subscribe(filters) }
    }

    private func handle(_ change: DeviceSession.Change, of address: Address) {
        guard let session = fleet[address] else { return }
        switch change {
        case .connection:
            followJoining(session)
            reportDevices()
            endTurn()
            if session.gate != nil, session.link != nil { updateEchoes() }
        case .offering:
            useSlots()
            reportDevices()
            endTurn()
        case .listening: changeListening(to: session)
        case .remember(let key, let value): remember(session) { $0.memory[key] = value }
        case .latch(let latch):
            latches.change(latch, of: address)
            groupsChanged()
        case .counted: groupsChanged()
        case .failed(let failure):
            reportEvent(
                "device_failed",
                describe(session).adding("reason", .string(failure.reason))
                    .adding("reason_code", .string(LinkReason(failure.code).rawValue)))
            if failure.code == .inputDevice { reject(session, failure) }
        case .refused(let error):
            reportEvent(
                "device_failed",
                describe(session).adding("reason", .string(error.message))
                    .adding("reason_code", .string(LinkReason(error.code).rawValue)))
        case .named:
            let isFirst = ownNames[address] == nil
            noteOwnName(session.status.advertisedName, of: address)
            isFirst ? announceSoon(session) : announceLater(session)
            reportDevices()
        case .wantsEcho: updateEchoes()
        case .nameTaken: giveUpName(session)
        case .published(let topic): keep { $0.keep(topic: topic) }
        case .released(let topics): keep { $0.forget(topics: topics) }
        case .cleared(let topics): noteCleared(topics)
        case .described:
            announceSoon(session)
            groupsChanged()
        case .reported: announceLater(session, after: Self.firstValuesTime)
        case .features:
            announceSoon(session)
            reportDevices()
        case .silent:
            releaseAnnouncement(address)
            releaseKept(of: session)
            groupsChanged()
        case .lapsed(let features):
            reportEvent(
                "hand_over_lapsed",
                describe(session).adding("features", .array(features.map { .string($0) })))
        case .handedOver(let reason, let time):
            record.fleet.handedOver(reason, after: time)
            if let time {
                Timer(
                    label: "tactile_bridge_fleet_hand_over_seconds", dimensions: [("reason", reason.rawValue)]
                )
                .recordNanoseconds(time.nanoseconds)
            }
            if reason != .died { keepAvailable(session) }
        case .offered: record.fleet.offers += 1
        case .contested: record.fleet.conflicts += 1
        case .nameShared(let claim): nameShared(session, with: claim)
        case .gives(let command): carryOut(command, of: session)
        case .relay(let name, let input): relay(input, to: name, of: session)
        }
    }

    /// Renames a device to `<family>/<id>`, because another device on the broker holds its name.
    private func giveUpName(_ session: DeviceSession) {
        let (old, address) = (session.name, session.address)
        fleet.names.release(address)
        fleet.names.reserve(old)
        let name = fleet.names.assign(session.family, address)
        logger.warning(
            "the device was renamed, because another device has its name",
            metadata: ["device": "\(old)", "now": "\(name)"])
        keepAvailable(session)
        keepFormerName(old, of: session)
        unsubscribe(session)
        enter(session, name)
        reportDevices()
    }

    /// Renames a device to a free name. The retained messages under the old name are cleared.
    func rename(_ session: DeviceSession, to name: String) {
        leaveName(session, for: name)
        enter(session, name)
        reportDevices()
    }

    /// Clears the retained messages under a device's current name, because the device is about to get the given name.
    func leaveName(_ session: DeviceSession, for name: String) {
        logger.info(
            "the device was renamed", metadata: ["device": "\(session.name)", "now": "\(name)"])
        // The announcement changes first, so that Home Assistant does not show the cleared topics.
        keepAvailable(session)
        announce(session, as: name)
        session.clearTopics()
        keepFormerName(session.name, of: session)
        unsubscribe(session)
        rememberName(of: session)
    }

    /// Unsubscribes from the commands of a device under its current name.
    func unsubscribe(_ session: DeviceSession) {
        unsubscribe(filters(session).map(\.filter), from: session.name)
    }

    /// Unsubscribes from topics that contain a name, except topics on which devices that had the name formerly receive
    /// stops.
    func unsubscribe(_ filters: [String], from name: String) {
        let former = formerStopTopics(of: name)
        endSubscriptions(filters.filter { !former.contains($0) })
    }

    /// Unsubscribes, and records that the broker no longer grants these subscriptions. Pass no subscription that stays:
    /// the broker would not report its grant again.
    func endSubscriptions(_ filters: [String]) {
        broker.subscriptions.forget(filters)
        ports.broker.unsubscribe(filters)
    }

    /// Gives a device a new name, publishes its states under that name, and subscribes to its commands.
    func enter(_ session: DeviceSession, _ name: String) {
        session.rename(name)
        forgetRecallGrant(session)
        if broker.status.isConnected {
            session.brokerConnected()
            settleName(of: session)
        }
        tellMissingStops(session)
        ports.broker.subscribe(filters(session))
        takeBackName(of: session)
        remember(session) { device in
            device.name = name
            device.formerNames.removeAll { $0 == name }
        }
    }

    /// Forgets that the broker granted the subscription to the device's retained emergency stop. An earlier session
    /// ended the subscription, so the broker grants the subscription again.
    private func forgetRecallGrant(_ session: DeviceSession) {
        if let topic = session.awaitedTopic { broker.subscriptions.forget([topic]) }
    }

    /// Removes a device: disconnects it cleanly, clears its topics and releases its name.
    ///
    /// - Parameter reason: The reason if the bridge itself removes the device; otherwise nil.
    func remove(_ session: DeviceSession, reason: String? = nil) async {
        await session.close(nil)
        await session.ended()
        forget(session, reason)
    }

    private func forget(_ session: DeviceSession, _ reason: String?) {
        let address = session.address
        guard fleet[address] === session, !isStopping else { return }
        var description = describe(session)
        if let reason { description["reason"] = .string(reason) }
        admission.remove(address)
        detach(session, clearsTopics: true)
        clearUnusedFeatures()
        keep { $0.forget(address) }
        // If the bridge itself removes the device, it clears the roster entry only if it wrote that entry.
        if reason == nil || roster.roster.entries[address]?.by == settings.id { clearRoster(address) }
        reportEvent("device_left", description)
        reportDevices()
        updateDiscovery()
    }
}
