import Bluetooth
import BridgeContract
import BridgeParts
import DeviceKit
import HomeAssistant
import JSON
import Logging
import Messages

extension Bridge {
    // MARK: The radio

    func handle(_ event: RadioEvent) {
        if case .heard(let advertisement, let adapter) = event { return heard(advertisement, over: adapter) }
        if case .forgotten(let address) = event {
            admission.forgotten(address)
            fleet[address]?.forgottenByHost()
        }
        guard let outcome = radio.handle(event) else { return }
        if let event = outcome.event { reportEvent(event, outcome.details) }
        if let adapter = outcome.heldAdapter {
            for session in fleet.all { session.leaveAdapter(adapter) }
        }
        radioChanged()
    }

    private func heard(_ advertisement: Advertisement, over adapter: String) {
        guard !isStopping else { return }
        if scans.isRunning { found(advertisement, over: adapter) }
        guard let session = fleet[advertisement.address] else {
            return consider(advertisement, over: adapter)
        }
        session.heard(advertisement, over: adapter)
    }

    /// Reports to the radio which advertised data the families use.
    func useAdvertisedData() {
        let recognitions = families.flatMap(\.recognitions)
        ports.radio.use(
            serviceData: Set(families.flatMap(\.serviceData) + recognitions.compactMap(\.serviceData)),
            companies: Set(families.flatMap(\.companies) + recognitions.compactMap(\.company)))
    }

    /// Passes the adapters without a free slot to the radio. If several adapters receive a device, the radio prefers
    /// another adapter.
    func useSlots() {
        let full = slots.full(at: ports.time.now)
        if radio.changed(toFull: full) { ports.radio.avoid(full) }
    }

    func radioChanged() {
        let state = radio.state
        if !state.isReady { admission.radioLost() }
        for session in fleet.all { session.radio(state) }
        updateDiscovery()
        spawn { await $0.describeRadio() }
    }

    private func describeRadio() async {
        let description = await ports.radio.describe()
        let former = radio.state
        radio.description = description
        // The problems of proxies belong to the reason why no device can be connected.
        if radio.state != former { for session in fleet.all { session.radio(radio.state) } }
        slots.proxyLimits = Dictionary(
            radio.description.adapters.compactMap { adapter in adapter.slots.map { (adapter.name, $0.limit) }
            }
        ) { $1 }
        if !isStopping { reportInfo() }
        shareProxies()
    }

    // MARK: The broker

    func handle(_ event: BrokerEvent) {
        switch event {
        case .connected(let version):
            broker.status.connected(version: version)
            resetPath(isConnected: true)
            keep { $0.brokerConnected() }
            caughtUp()
            lookForTwin()
            askForStore()
            askForRoster()
            reportState("availability", .string(isStopping ? "offline" : "online"))
            reportInfo()
            beat()
            for session in fleet.all { session.brokerConnected() }
        case .lost(let reason):
            // The port also reports each failed attempt to reconnect. Only the first report after a connection is a
            // loss.
            guard broker.status.isConnected else { return }
            resetPath(isConnected: false)
            guard broker.status.lost() else { return }
            roster.roster.lost()
            logger.warning("broker lost", metadata: ["reason": "\(reason)"])
            let culprit = broker.unconfirmedReplies.culprit(at: ports.time.now)
            if let culprit { noteUnconfirmedReply(to: culprit) }
            for session in fleet.all {
                // No command to a hazardous device is kept until the next broker connection, when it may be outdated.
                if session.gate != nil { session.desk.voidAll(before: ports.time.now) }
                session.brokerLost()
            }
        case .message(let message): route(message)
        case .subscribed(let filter, _): granted(filter)
        case .subscriptionRefused(let filter, let reason): refusedSubscription(filter, reason)
        case .accepted(let topic): broker.status.accepted(topic)
        case .replyUnconfirmed(let topic): noteUnconfirmedReply(to: topic)
        case .refused(let topic, let reason): refusedMessage(on: topic, reason)
        case .messageRefused(let message, let reason): refused(message, reason)
        }
    }

    /// Records a topic that the broker refuses, for `stats` and `health_check`.
    func refused(_ topic: String, _ reason: String) {
        guard !isRoster(topic) else { return rosterRefused(topic, reason) }
        logger.debug(
            "the broker refused access to a topic",
            metadata: ["topic": "\(topic.excerpt)", "reason": "\(reason)"])
        broker.status.refused(topic, reason)
    }

    /// Handles that the broker refuses a message: one of the bridge's own, or an answer on a sender's Response Topic.
    private func refusedMessage(on topic: String, _ reason: String) {
        guard isSendersTopic(topic) else { return refused(topic, reason) }
        broker.status.refusedAnswer()
        broker.unconfirmedReplies.refused(topic, at: ports.time.now)
        let (level, unsaid) = log.refusedAnswers.take(as: .info, at: ports.time.now)
        logger.log(
            level: level, "an answer cannot be sent to its Response Topic",
            metadata: ["topic": "\(topic.excerpt)", "reason": "\(reason)"].adding(unsaid: unsaid))
    }

    /// Handles a message now or, if its rate is limited, later.
    func route(_ message: IncomingMessage) {
        guard !isStopping else { return }
        let destination = intake.destination(of: message.topic)
        // Commands are the most frequent messages, and they are not rate limited.
        if case .command(let name, let feature) = destination {
            return route(request(message, feature), to: name)
        }
        let status = settings.homeAssistant?.statusTopic
        if intake.take(message, status: status, at: ports.time.now) { deliver(message) } else { armIntake() }
    }

    private func armIntake() {
        if let next = intake.next { startTimer(.intake, at: next) }
    }

    /// Handles the message that waited because its rate is limited.
    func intakeIsDue() {
        if let message = intake.due(at: ports.time.now) { deliver(message) }
        armIntake()
    }

    private func deliver(_ message: IncomingMessage) {
        guard !isStopping else { return }
        if message.topic == settings.homeAssistant?.statusTopic {
            if TopicRouter.isBirth(message) { announceAgain() }
            return
        }
        if message.topic == topics.own("echo") { return heardEcho(message) }
        restoreIfOwn(message)
        switch intake.destination(of: message.topic) {
        case .command: break
        case .claim(let address): heard(claimOn: address, message)
        case .offer(let bridge): heard(offerOf: bridge, message)
        case .peer(let bridge, let state): heard(state, of: bridge, message)
        case .roster(let key): heardRoster(key, message)
        case .families(let bridge): heard(familiesOf: bridge, message)
        case .request(let name): carryOut(request(message, name))
        case .commonRequest(let name):
            var request = request(message, name)
            request.isCommon = true
            carryOut(request)
        case nil:
            if let (name, feature) = topics.reported(message.topic),
                let session = fleet.session(named: name)
            {
                return session.heard(report: feature, message.payload)
            }
            // Messages of other clients on the bridge's own topics arrive too, so that the bridge can restore the
            // topics.
            guard topics.bridge(of: message.topic) != topics.bridge else { return }
            logger.debug(
                "a message on an unknown topic is ignored", metadata: ["topic": "\(message.topic.excerpt)"])
        }
    }

    private func route(_ request: CommandRequest, to name: String) {
        var request = request
        request.mayComeTwice = formerNames.mayComeTwice(to: name, at: ports.time.now)
        let session = fleet.readSession(named: name)
        request.entry = session?.features.command(request.feature)
        let isKnown = request.entry != nil || session?.features.contains(request.feature) ?? false
        let whole = isKnown ? nil : bareTarget(name, request.feature)
        if whole == nil { session?.take(request) }
        // The device may lose the name before the second copy of the stop arrives.
        if let session, session.features.stops.contains(request.feature) { _ = formerCopies.isCopy(request) }
        let isObeyed = obeyFormerStop(
            request, name: name, isTaken: session != nil || fleet.groups.contains(name))
        if let whole, !isObeyed {
            request.feature = Topics.noFeature
            return route(request, to: whole)
        }
        guard session == nil else { return }
        if fleet.groups.contains(name) {
            carryOut(request, group: name)
        } else if !isObeyed {
            refuse(request, formerName: name)
        }
    }

    /// The device or group that is the target of a command without a feature. On its topic, the last level of the
    /// name looks like a feature of a device one level above. Nil if there is no such target.
    private func bareTarget(_ name: String, _ feature: String) -> String? {
        guard feature != Topics.noFeature else { return nil }
        let whole = "\(name)/\(feature)"
        return fleet.session(named: whole) != nil || fleet.groups.contains(whole) ? whole : nil
    }
}

extension Fleet {
    // A getter of a stored value runs on a copy of the whole fleet for every command; a mutating method runs on the
    // value itself. So this method is mutating although it changes nothing.
    fileprivate mutating func readSession(named name: String) -> DeviceSession? { session(named: name) }
}
