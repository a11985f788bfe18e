import Bluetooth
import CoreMetrics
import DeviceKit
import Logging

// The way from the broker, measured by messages that the bridge sends to itself, and the subscriptions of stops.
extension Bridge {
    /// The echoes of one connection to the broker.
    struct Echoes: Sendable {
        /// Tells this connection's echoes from all others.
        var nonce = UInt32.random(in: .min ... .max)
        /// How many were sent.
        var count = 0
        /// When those were sent that have not come back, by value.
        var open: [String: Duration] = [:]
        /// How long those took that came back since that was asked last.
        var times: [Duration] = []
        /// When the first was to be sent, and whether any came back.
        var first: Duration?
        var hasReturned = false
        /// Whether it was said that none comes back.
        var isReported = false

        /// A value that was never sent before.
        mutating func next() -> String {
            count += 1
            return String(nonce, radix: 16) + "-\(count)"
        }
    }

    /// How long an echo is waited for, for the figures.
    private static let echoMemory = Duration.seconds(10)
    /// How long the first echo of a connection may take before it is said that none comes back.
    private static let firstEchoTime = Duration.seconds(2)
    /// How many times are kept between two reports.
    private static let timesCapacity = 4096

    /// The devices that can hurt somebody and are connected, or taken up.
    private var hazardous: [DeviceSession] {
        sessions.values.filter { session in session.wantsEchoes }
    }

    /// How often an echo is sent; nil while nothing needs one.
    private var echoPeriod: Duration? {
        guard brokerVersion != nil, !isStopping else { return nil }
        return hazardous.compactMap { session in
            session.gate?.limits.echoPeriod
        }.min()
    }

    /// Sends echoes while a robot is connected.
    func updateEchoes() {
        guard echoPeriod != nil else { return }
        sendEcho()
        if timers.deadline(.echo) == nil { setEchoTimer() }
    }

    private func setEchoTimer() {
        if let period = echoPeriod { startTimer(.echo, at: world.time.now + period) }
    }

    func echoIsDue() {
        guard echoPeriod != nil else { return }
        sendEcho()
        setEchoTimer()
    }

    /// What a person must do so that echoes come back; nil while they do, or may yet.
    var pathProblem: String? {
        guard !echoes.hasReturned, let first = echoes.first, world.time.now - first > Self.firstEchoTime
        else {
            return nil
        }
        let topic = topics.own("echo")
        return
            "no echo comes back, so that no robot moves: the broker's access list must let the bridge publish and "
            + "read it (topic readwrite \(topic)), and drivers read it (topic read \(topic)); tactile-bridge acl "
            + "prints both"
    }

    func sendEcho() {
        if !echoes.isReported, let pathProblem {
            echoes.isReported = true
            logger.error("\(pathProblem)")
        }
        // From the attempt on: one that the broker's side leaves out, because it is forbidden, is never sent.
        if !hazardous.isEmpty { echoes.first = echoes.first ?? world.time.now }
        let value = echoes.next()
        let nonce = echoes.nonce
        world.broker.probe(topics.own("echo"), payload: Array(value.utf8)) { [weak self] moment in
            self?.assumeIsolated { bridge in
                guard bridge.echoes.nonce == nonce else { return }
                bridge.echoes.open = bridge.echoes.open.filter { moment - $0.value < Self.echoMemory }
                bridge.echoes.open[value] = moment
                bridge.stored.sent(value, at: moment)
                for session in bridge.hazardous { session.echoSent(value, at: moment) }
            }
        }
    }

    /// An echo came back, live: a stored one tells nothing of the way.
    func heardEcho(_ message: IncomingMessage) {
        guard !message.isRetained, message.payloadSize <= 64 else { return }
        let value = String(decoding: message.payload, as: UTF8.self)
        guard let sent = echoes.open.removeValue(forKey: value) else { return }
        echoes.hasReturned = true
        let time = world.time.now - sent
        echoTimer.recordNanoseconds(time.nanoseconds)
        if echoes.times.count < Self.timesCapacity { echoes.times.append(time) }
        for session in hazardous { session.echoReturned(value) }
        storeProved(by: value)
    }

    // MARK: The connection

    /// The connection to the broker is new, or gone: nothing of the one before counts.
    func resetPath(isConnected: Bool) {
        let times = echoes.times
        echoes = Echoes()
        echoes.times = times
        granted = []
        for session in sessions.values where session.family.motionLimits(session.settings) != nil {
            let missing = stopFilters(session)
            session.brokerChanged(isConnected: isConnected)
            session.stopsMissing(missing, isRecallMissing: true)
        }
        if isConnected { updateEchoes() }
    }

    // MARK: Subscriptions of stops

    /// The subscriptions without which a stop could not arrive; none for a device that cannot hurt anybody.
    func stopFilters(_ session: DeviceSession) -> [String] {
        guard session.gate != nil else { return [] }
        let name = session.name
        return session.features.stops.map { topics.command(name, $0) } + [topics.commands(Groups.all)]
    }

    /// The broker granted a subscription, or refused it.
    func noteSubscription(_ filter: String, isGranted: Bool) {
        if isGranted { granted.insert(filter) } else { granted.remove(filter) }
        if isGranted { noteStore(of: filter) }
        if filter == topics.commands(Groups.all) {
            for session in sessions.values { tellMissingStops(session) }
        } else if let name = deviceName(of: filter), let session = session(named: name) {
            tellMissingStops(session)
        }
    }

    private func deviceName(of filter: String) -> String? {
        if case .command(let name, _)? = topics.destination(filter) { return name }
        return topics.reported(filter)?.device
    }

    /// Tells a device which of its stops cannot arrive.
    func tellMissingStops(_ session: DeviceSession) {
        let needed = stopFilters(session)
        guard !needed.isEmpty else { return }
        let missing = needed.filter { !granted.contains($0) }
        let recalled = session.awaitedTopic
        let isRecallMissing = recalled.map { !granted.contains($0) } ?? false
        session.stopsMissing(missing, isRecallMissing: isRecallMissing)
        // What comes back of an echo that is sent now comes behind all that the broker had in store.
        if missing.isEmpty, !isRecallMissing, session.wantsEchoes { updateEchoes() }
    }
}
