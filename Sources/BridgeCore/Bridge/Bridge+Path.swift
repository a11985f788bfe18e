import Bluetooth
import BridgeContract
import BridgeParts
import DeviceKit
import Logging
import Messages

// The echoes, which measure the latency of messages from the broker, and the subscriptions for stops.
extension Bridge {
    /// The devices that can hurt you and that are connected or wait for their retained emergency stop.
    private var hazardous: [DeviceSession] { fleet.all.filter(\.wantsEchoes) }

    /// The interval of echoes; nil while no device needs echoes.
    private var echoPeriod: Duration? {
        guard broker.status.isConnected, !isStopping else { return nil }
        return hazardous.compactMap { $0.gate?.limits.echoPeriod }.min()
    }

    /// Sends an echo (a message to this bridge itself) now, and periodically while a device needs echoes.
    func updateEchoes() {
        guard let period = echoPeriod else { return }
        sendEcho()
        if !timers.runs(.echo) { startTimer(.echo, at: ports.time.now + period) }
    }

    /// What the user must correct if echoes do not return; nil while echoes return, or while the bridge still waits for
    /// the first echo.
    var pathProblem: String? { broker.echoes.isBlocked(at: ports.time.now) ? pathAdvice : nil }

    private var pathAdvice: String {
        let topic = topics.own("echo")
        return
            "no echo is received, so no robot moves: the broker's access list must allow the bridge to "
            + "publish and read it (topic readwrite \(topic)), and drivers to read it (topic read \(topic)); "
            + "tactile-bridge acl prints both"
    }

    func sendEcho() {
        let now = ports.time.now
        if broker.echoes.reportsBlock(at: now) { logger.error("\(pathAdvice)") }
        let value = broker.echoes.next(isNeeded: !hazardous.isEmpty, at: now)
        let connection = broker.echoes.connection
        ports.broker.probe(topics.own("echo"), payload: Array(value.utf8)) { [weak self] moment in
            self?.assumeIsolated { bridge in
                guard bridge.broker.echoes.connection == connection else { return }
                bridge.broker.echoes.sent(value, at: moment)
                bridge.broker.subscriptions.sent(value, at: moment)
                for session in bridge.hazardous { session.echoSent(value, at: moment) }
            }
        }
    }

    /// Handles an echo that returned from the broker. A retained echo is ignored: it does not measure the latency.
    func heardEcho(_ message: IncomingMessage) {
        guard !message.isRetained, message.payloadSize <= Self.twinMessageLimit else { return }
        let value = String(decoding: message.payload, as: UTF8.self)
        guard broker.echoes.returned(value, at: ports.time.now) else {
            if !broker.echoes.isOwn(value) { heard(fromTwin: value) }
            return
        }
        twinsHaveEcho()
        for session in hazardous { session.echoReturned(value) }
        storeProved(by: value)
    }

    // MARK: Connection

    /// Resets the measurements of echoes, since the broker connection is new or lost.
    func resetPath(isConnected: Bool) {
        broker.reset()
        for session in fleet.all where session.family.motionLimits(session.settings) != nil {
            let missing = stopFilters(session)
            session.brokerChanged(isConnected: isConnected)
            session.stopsMissing(missing, isRecallMissing: true)
        }
        if isConnected { updateEchoes() }
    }

    // MARK: Subscriptions for stops

    /// The topic filters without which a stop cannot arrive; empty for a device that cannot hurt you.
    func stopFilters(_ session: DeviceSession) -> [String] {
        guard session.gate != nil else { return [] }
        let name = session.name
        return session.features.stops.map { topics.command(name, $0) } + commonStopFilters
    }

    /// The filters for stops of every device: those of all devices, and of the zone.
    private var commonStopFilters: [String] {
        let zone = settings.zone.isEmpty ? [] : [Groups.name(ofZone: settings.zone)]
        return ([Groups.all] + zone).map(topics.commands)
    }

    func granted(_ filter: String) {
        broker.status.accepted(filter)
        broker.subscriptions.grant(filter)
        noteStore(of: filter)
        tellMissingStops(of: filter)
    }

    func refusedSubscription(_ filter: String, _ reason: String) {
        guard !refusedGuard(filter) else { return }
        refused(filter, reason)
        broker.subscriptions.refuse(filter)
        if filter == topics.claims { holdersRefused() }
        if peerFilters.contains(where: { $0.filter == filter }) { peersRefused() }
        tellMissingStops(of: filter)
    }

    private func tellMissingStops(of filter: String) {
        if commonStopFilters.contains(filter) {
            for session in fleet.all { tellMissingStops(session) }
        } else if let name = deviceName(of: filter), let session = fleet.session(named: name) {
            tellMissingStops(session)
        }
    }

    private func deviceName(of filter: String) -> String? {
        if case .command(let name, _)? = topics.destination(filter) { return name }
        return topics.reported(filter)?.device
    }

    /// Reports to a session which subscriptions for its stops are missing, so that these stops cannot arrive.
    func tellMissingStops(_ session: DeviceSession) {
        let needed = stopFilters(session)
        guard !needed.isEmpty else { return }
        let missing = broker.subscriptions.missing(of: needed)
        let recalled = session.awaitedTopic
        let isRecallMissing = recalled.map { !broker.subscriptions.missing(of: [$0]).isEmpty } ?? false
        session.stopsMissing(missing, isRecallMissing: isRecallMissing)
        // An echo that is sent now returns after all retained messages of the broker, so it shows when they have
        // arrived.
        if missing.isEmpty, !isRecallMissing, session.wantsEchoes { updateEchoes() }
    }
}
