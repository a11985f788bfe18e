import Bluetooth
import DeviceKit
import HomeAssistant
import JSON
import Logging

extension Bridge {
    // MARK: The radio

    /// Whether devices can be connected, and why not.
    var radioState: DeviceSession.RadioState {
        if let serviceLoss { return (false, serviceLoss, false) }
        guard adapters.isEmpty else { return (true, nil, false) }
        return (false, holding ?? "no Bluetooth adapter is ready", holding != nil)
    }

    func handle(_ event: RadioEvent) {
        switch event {
        case .heard(let advertisement, _):
            guard !isStopping else { return }
            guard let session = sessions[advertisement.address] else { return consider(advertisement) }
            session.heard(advertisement)
        case .forgotten: break
        case .adapterReady(let name):
            heldAdapters[name] = nil
            guard adapters.insert(name).inserted else { return }
            if lostAdapters.remove(name) != nil { reportEvent("adapter_back", ["adapter": .string(name)]) }
            radioChanged()
        case .adapterLost(let name):
            let wasHeld = heldAdapters.removeValue(forKey: name) != nil
            guard adapters.remove(name) != nil else { return wasHeld ? radioChanged() : () }
            lostAdapters.insert(name)
            reportEvent("adapter_lost", ["adapter": .string(name)])
            radioChanged()
        case .adapterHeld(let name, let holder): adapterHeld(name, by: holder)
        case .serviceReady:
            if wasServiceLost { reportEvent("bluez_back") }
            (serviceLoss, wasServiceLost) = (nil, false)
            radioChanged()
        case .serviceLost(let reason):
            let wasThere = serviceLoss == nil
            serviceLoss = reason
            lostAdapters.formUnion(adapters)
            (adapters, heldAdapters) = ([], [:])
            if wasThere {
                wasServiceLost = true
                reportEvent("bluez_lost", ["reason": .string(reason)])
            }
            radioChanged()
        }
    }

    func radioChanged() {
        let radio = radioState
        for session in sessions.values {
            session.radio(radio)
        }
        updateDiscovery()
        spawn { await $0.describeRadio() }
    }

    private func describeRadio() async {
        radioDescription = await world.radio.describe()
        if !isStopping { reportInfo() }
    }

    // MARK: The broker

    func handle(_ event: BrokerEvent) {
        switch event {
        case .connected(let version):
            brokerVersion = version
            refusals = [:]
            resetPath(isConnected: true)
            forgetStaleTopics()
            caughtUp()
            askForStore()
            reportState("availability", .string(isStopping ? "offline" : "online"))
            reportInfo()
            for session in sessions.values { session.brokerConnected() }
        case .lost(let reason):
            // Every attempt that fails is told too; only the first one is a loss.
            guard brokerVersion != nil else { return }
            resetPath(isConnected: false)
            guard !isWantedLoss() else { return }
            brokerVersion = nil
            logger.warning("broker lost", metadata: ["reason": "\(reason)"])
            for session in sessions.values {
                // Nothing hazardous waits for another connection.
                if session.gate != nil { session.voidAll(before: world.time.now) }
                session.brokerLost()
            }
        case .message(let message): route(message)
        case .subscribed(let filter, _):
            refusals[filter] = nil
            noteSubscription(filter, isGranted: true)
        case .subscriptionRefused(let filter, let reason):
            refused(filter, reason)
            noteSubscription(filter, isGranted: false)
        case .accepted(let topic): refusals[topic] = nil
        case .refused(let topic, let reason): refused(topic, reason)
        }
    }

    /// Remembers what the broker refuses, for the figures and for who asks how the bridge is.
    private func refused(_ topic: String, _ reason: String) {
        logger.debug("refused by the broker", metadata: ["topic": "\(topic)", "reason": "\(reason)"])
        if refusals.count < Self.refusalCapacity || refusals[topic] != nil { refusals[topic] = reason }
    }

    func route(_ message: IncomingMessage) {
        guard !isStopping else { return }
        let destination = destination(message.topic)
        // Neither paced nor anything else that is looked for below, and the most frequent.
        if case .command(let name, let feature) = destination {
            return route(request(message, feature), to: name)
        }
        guard !waits(message) else { return }
        if message.topic == settings.homeAssistant?.statusTopic {
            if message.payload == Array("online".utf8) { announceAgain() }
            return
        }
        if message.topic == topics.own("echo") { return heardEcho(message) }
        switch destination {
        case .command: break
        case .connection(let name):
            guard let session = session(named: name), !message.payload.isEmpty else { return }
            session.heard(claim: message.payload, isStored: message.isRetained)
        case .peer(let bridge, let state): heard(state, of: bridge, message)
        case .request(let name): carryOut(request(message, name))
        case nil:
            if let (name, feature) = topics.reported(message.topic), let session = session(named: name) {
                return session.heard(report: feature, message.payload)
            }
            logger.debug("a topic that means nothing here", metadata: ["topic": "\(message.topic)"])
        }
    }

    private func route(_ request: CommandRequest, to name: String) {
        let session = session(named: name)
        session?.take(request)
        let isObeyed = obeyFormerStop(request, name: name, isTaken: session != nil)
        guard session == nil, !isObeyed else { return }
        if groups.contains(name) {
            carryOut(request, group: name)
        } else {
            refuse(request, formerName: name)
        }
    }

    /// Where a topic leads; the topics of commands come again and again.
    private func destination(_ topic: String) -> Topics.Destination? {
        if let known = destinations[topic] { return known }
        let found = topics.destination(topic)
        if destinations.count >= Self.destinationCapacity { destinations = [:] }
        destinations[topic] = .some(found)
        return found
    }

    /// How many topics are remembered.
    private static let destinationCapacity = 4096

    func session(named name: String) -> DeviceSession? {
        names.address(of: name).flatMap { sessions[$0] }
    }
}
